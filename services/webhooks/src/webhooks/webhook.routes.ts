import type { Router } from 'express';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { recordIdIn } from '@itsm/shared/api/http/record-id';
import { isPermitted } from '@itsm/shared/api/identity/allow';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { declaredRoutes } from '@itsm/shared/declared/declared.routes';
import type { Edits } from '@itsm/shared/declared/edits';
import type { Addresses } from './addresses';
import { addAuditRoute } from './audit-line.routes';
import type { Webhook } from './webhook';
import { accountOf, administrators, createPrivateRouter } from './webhook.http';
import { webhookResource as resource } from './webhook.resource';
import type { webhookType } from './webhook-type';
import type { WebhookService } from './webhook.service';

interface Dependencies {
  readonly webhooks: WebhookService;
  readonly type: typeof webhookType;
  readonly edits: Edits<typeof webhookType, Webhook>;
  readonly addresses: Addresses;
  /** Names of the account's policies by id. */
  readonly policyNames: (accountId: string) => Promise<ReadonlyMap<number, string>>;
  readonly baseUrl: string;
  readonly nodeIdDomain: string;
}

/** `/v1/webhooks`, for account administrators. */
export function createWebhookRouter(dependencies: Dependencies): Router {
  const { webhooks, type, edits, addresses, policyNames, baseUrl, nodeIdDomain } = dependencies;
  const idOf = recordIdIn(nodeIdDomain, 'Webhook');
  async function createView(caller: Caller) {
    // Without the scope of policies only the id is shown, which is a setting of the webhook.
    const isShown = isPermitted(caller, 'webhook-policy:Read');
    const names = isShown ? await policyNames(caller.accountId) : new Map<number, string>();
    return { view: { ...addresses, policyNames: names } };
  }
  const router = createPrivateRouter().use(
    declaredRoutes(type, edits, { resource, createView, baseUrl, nodeIdDomain }),
  );
  addAuditRoute(router, 'webhook:Read', {
    type: 'WebhookAuditLine',
    find: (accountId, id) => webhooks.audit(accountId, id),
    idOf,
    addresses,
    baseUrl,
  });
  // webhook-delivery owns the log but does not know which webhooks exist. So the gateway asks here first.
  router
    .route('/:id/deliveries')
    .get(administrators('webhook-delivery:Read'), async (req, res) => {
      await webhooks.find(accountOf(req), idOf(req));
      res.status(204).end();
    })
    .all(methodNotAllowed('GET'));
  return router;
}

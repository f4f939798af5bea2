import express from 'express';
import type { Request, RequestHandler, Response, Router } from 'express';
import { jsonBody } from '@itsm/shared/api/http/json-body';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { parseBody } from '@itsm/shared/api/rest/parse-body';
import { checkFields, sendCollection, sendRecord } from '@itsm/shared/api/rest/send';
import type { Addresses } from './addresses';
import type { Person } from '@itsm/shared/contracts/records';
import { createArraySource } from '@itsm/shared/api/rest/array-source';
import { auditResource } from './audit-line.resource';
import { auditNodes } from './audit-line';
import type { Webhook } from './webhook';
import type { webhookInputs, WebhookView } from './webhook.resource';
import { accountOf, administrators, callingPerson, noStore, webhookIdOf } from './webhook.http';
import { webhookResource as resource } from './webhook.resource';
import type { WebhookService } from './webhook.service';

interface Dependencies {
  readonly webhooks: WebhookService;
  readonly inputs: ReturnType<typeof webhookInputs>;
  readonly addresses: Addresses;
  /** Of the account, by id. */
  readonly policyNames: (accountId: string) => Promise<ReadonlyMap<number, string>>;
  readonly baseUrl: string;
  readonly nodeIdDomain: string;
}

/** `/v1/webhooks`, for account administrators. */
export function createWebhookRouter(dependencies: Dependencies): Router {
  const { webhooks, inputs, addresses, policyNames, baseUrl, nodeIdDomain } = dependencies;
  const personOf = (req: Request): Person => callingPerson(callerOf(req), addresses);
  const idOf = (req: Request<{ id: string }>): number => webhookIdOf(req, nodeIdDomain);
  const viewFor = async (req: Request): Promise<WebhookView> => ({
    ...addresses,
    policyNames: await policyNames(accountOf(req)),
  });
  const send = async (req: Request, res: Response, record: Webhook) =>
    sendRecord(req, res, { resource, record, view: await viewFor(req) });
  const list =
    (disabled?: boolean): RequestHandler =>
    async (req, res) => {
      const source = webhooks.listing(accountOf(req), disabled);
      await sendCollection(req, res, { resource, source, view: await viewFor(req), baseUrl });
    };

  const update: RequestHandler<{ id: string }> = async (req, res) => {
    const changes = parseBody(inputs.webhookChanges, req.body);
    await send(req, res, await webhooks.update(accountOf(req), idOf(req), changes, personOf(req)));
  };

  const router = express.Router();
  router.use(noStore);
  router
    .route('/')
    .get(administrators('webhook:Read'), list())
    .post(administrators('webhook:Create'), checkFields(resource), ...jsonBody(), async (req, res) => {
      const webhook = await webhooks.register(accountOf(req), parseBody(inputs.newWebhook, req.body), personOf(req));
      res.status(201).location(addresses.webhookUrl(webhook.id));
      await send(req, res, webhook);
    })
    .all(methodNotAllowed('GET', 'HEAD', 'POST'));
  for (const [path, disabled] of [
    ['/enabled', false],
    ['/disabled', true],
  ] as const)
    router.route(path).get(administrators('webhook:Read'), list(disabled)).all(methodNotAllowed('GET', 'HEAD'));
  router
    .route('/:id')
    .get(administrators('webhook:Read'), async (req, res) => {
      await send(req, res, await webhooks.find(accountOf(req), idOf(req)));
    })
    .patch(administrators('webhook:Update'), checkFields(resource), ...jsonBody(), update)
    .put(administrators('webhook:Update'), checkFields(resource), ...jsonBody(), update)
    .delete(administrators('webhook:Delete'), async (req, res) => {
      await webhooks.remove(accountOf(req), idOf(req));
      res.status(204).end();
    })
    .all(methodNotAllowed('GET', 'HEAD', 'PATCH', 'PUT', 'DELETE'));
  router
    .route('/:id/audit')
    .get(administrators('webhook:Read'), async (req, res) => {
      const source = createArraySource(auditNodes(idOf(req), await webhooks.audit(accountOf(req), idOf(req))));
      const view = { type: 'WebhookAuditLine', nodeIdOf: addresses.nodeIdOf } as const;
      await sendCollection(req, res, { resource: auditResource, source, view, baseUrl });
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  return router;
}

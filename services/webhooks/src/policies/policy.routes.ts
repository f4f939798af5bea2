import type { Router } from 'express';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { recordIdIn } from '@itsm/shared/api/http/record-id';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { sendRecord } from '@itsm/shared/api/rest/send';
import { declaredRoutes } from '@itsm/shared/declared/declared.routes';
import { toRest } from '@itsm/shared/declared/declared.resource';
import type { Edits } from '@itsm/shared/declared/edits';
import type { Addresses } from '../webhooks/addresses';
import { addAuditRoute } from '../webhooks/audit-line.routes';
import { administrators, createPrivateRouter } from '../webhooks/webhook.http';
import { policyType } from './policy';
import { authorOf } from './policy-changes';
import { policyResource as resource } from './policy.resource';
import type { PolicyService, PolicyWithKey } from './policy.service';

interface Dependencies {
  readonly policies: PolicyService;
  readonly edits: Edits<typeof policyType, PolicyWithKey>;
  readonly addresses: Addresses;
  readonly baseUrl: string;
  readonly nodeIdDomain: string;
}

/** `/v1/webhook_policies`, for account administrators. */
export function createPolicyRouter({ policies, edits, addresses, baseUrl, nodeIdDomain }: Dependencies): Router {
  const view = addresses;
  const idOf = recordIdIn(nodeIdDomain, 'WebhookPolicy');
  const needs = { resource, createView: () => ({ view }), baseUrl, nodeIdDomain };
  const router = createPrivateRouter().use(declaredRoutes(policyType, edits, needs));
  addAuditRoute(router, 'webhook-policy:Read', {
    type: 'WebhookPolicyAuditLine',
    find: (accountId, id) => policies.audit(accountId, id),
    idOf,
    addresses,
    baseUrl,
  });
  router
    .route('/:id/rotate')
    .post(administrators('webhook-policy:Update'), async (req, res) => {
      const { accountId, ...caller } = callerOf(req);
      const record = await policies.rotate(accountId, idOf(req), authorOf(caller));
      sendRecord(req, res, { resource, record, view, shownOnce: toRest(record.issued) as object });
    })
    .all(methodNotAllowed('POST'));
  return router;
}

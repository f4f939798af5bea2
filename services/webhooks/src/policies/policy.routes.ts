import type { Request, Response, Router } from 'express';
import { jsonBody } from '@itsm/shared/api/http/json-body';
import { preconditionOf, tagOfRecord } from '@itsm/shared/api/http/if-match';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { recordIdIn } from '@itsm/shared/api/http/record-id';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { parseBody } from '@itsm/shared/api/rest/parse-body';
import { presentAll } from '@itsm/shared/api/rest/resource';
import { checkFields, sendCollection, sendRecord } from '@itsm/shared/api/rest/send';
import type { Addresses } from '../webhooks/addresses';
import { accountOf, administrators, createRecordRouter } from '../webhooks/webhook.http';
import type { Policy } from './policy';
import type { Author } from './policy-changes';
import { newPolicyInput, policyChangesInput, policyResource as resource } from './policy.resource';
import type { PolicyService, PolicyWithKey } from './policy.service';

interface Dependencies {
  readonly policies: PolicyService;
  readonly addresses: Addresses;
  readonly baseUrl: string;
  readonly nodeIdDomain: string;
}

/** `/v1/webhook_policies`, for account administrators. */
export function createPolicyRouter({ policies, addresses, baseUrl, nodeIdDomain }: Dependencies): Router {
  const view = addresses;
  const authorOf = (req: Request): Author => ({ id: callerOf(req).personId, name: callerOf(req).name });
  const idOf = recordIdIn(nodeIdDomain, 'WebhookPolicy');
  const checkFor = (req: Request) =>
    preconditionOf(req, (current: Policy) => tagOfRecord(req, current, presentAll(resource, current, view)));
  const sendWithKey = (res: Response, { policy, issued }: PolicyWithKey): void => {
    const { publicKeyPem: public_key_pem, sharedSecret: shared_secret } = issued;
    res.json({
      ...presentAll(resource, policy, view),
      ...(public_key_pem === null ? { shared_secret } : { public_key_pem }),
    });
  };

  const router = createRecordRouter('webhook-policy', {
    idOf,
    service: policies,
    auditType: 'WebhookPolicyAuditLine',
    addresses,
    baseUrl,
    list: (disabled) => (req, res) =>
      sendCollection(req, res, { resource, source: policies.listing(accountOf(req), disabled), view, baseUrl }),
    create: [
      ...jsonBody(),
      async (req, res) => {
        const made = await policies.create(accountOf(req), parseBody(newPolicyInput, req.body), authorOf(req));
        res.status(201).location(`${baseUrl}/v1/webhook_policies/${made.policy.id}`);
        sendWithKey(res, made);
      },
    ],
    async show(req, res) {
      sendRecord(req, res, { resource, record: await policies.find(accountOf(req), idOf(req)), view });
    },
    preconditionOf: checkFor,
    checkFields: checkFields(resource),
    async update(req, res) {
      const changes = parseBody(policyChangesInput, req.body);
      const record = await policies.update(accountOf(req), idOf(req), changes, authorOf(req), checkFor(req));
      sendRecord(req, res, { resource, record, view });
    },
  });
  router
    .route('/:id/rotate')
    .post(administrators('webhook-policy:Update'), async (req, res) => {
      sendWithKey(res, await policies.rotate(accountOf(req), idOf(req), authorOf(req)));
    })
    .all(methodNotAllowed('POST'));
  return router;
}

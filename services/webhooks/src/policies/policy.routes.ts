import express from 'express';
import type { Request, RequestHandler, Response, Router } from 'express';
import { notFound } from '@itsm/shared/base/errors/app-error';
import { jsonBody } from '@itsm/shared/api/http/json-body';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { allow } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import type { Action } from '@itsm/shared/contracts/scopes';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import { createArraySource } from '@itsm/shared/api/rest/array-source';
import { parseBody } from '@itsm/shared/api/rest/parse-body';
import { presentAll } from '@itsm/shared/api/rest/resource';
import { checkFields, sendCollection, sendRecord } from '@itsm/shared/api/rest/send';
import { auditNodes } from '../webhooks/audit-line';
import { auditResource } from '../webhooks/audit-line.resource';
import type { Addresses } from '../webhooks/addresses';
import { newPolicyInput, policyChangesInput, policyResource as resource } from './policy.resource';
import type { Author } from './policy-changes';
import type { PolicyService, PolicyWithKey } from './policy.service';

interface Dependencies {
  readonly policies: PolicyService;
  readonly addresses: Addresses;
  readonly baseUrl: string;
  readonly nodeIdDomain: string;
}

const administrators = (action: Action): RequestHandler => allow(action, 'account_administrator');

/** Answers to the making of a key hold secrets. */
const noStore: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};

/** `/v1/webhook_policies`, for account administrators. */
export function createPolicyRouter({ policies, addresses, baseUrl, nodeIdDomain }: Dependencies): Router {
  const view = addresses;
  const accountOf = (req: Request): string => callerOf(req).accountId;
  const authorOf = (req: Request): Author => ({ id: callerOf(req).personId, name: callerOf(req).name });
  const idOf = (req: Request<{ id: string }>): number => {
    const id = parseRecordId(nodeIdDomain, 'WebhookPolicy', req.params.id);
    if (id === undefined) throw notFound();
    return id;
  };
  const list =
    (disabled?: boolean): RequestHandler =>
    (req, res) =>
      sendCollection(req, res, { resource, source: policies.listing(accountOf(req), disabled), view, baseUrl });
  const sendWithKey = (res: Response, { policy, issued }: PolicyWithKey): void => {
    const { publicKeyPem: public_key_pem, sharedSecret: shared_secret } = issued;
    res.json({
      ...presentAll(resource, policy, view),
      ...(public_key_pem === null ? { shared_secret } : { public_key_pem }),
    });
  };
  const update: RequestHandler<{ id: string }> = async (req, res) => {
    const changes = parseBody(policyChangesInput, req.body);
    sendRecord(req, res, {
      resource,
      record: await policies.update(accountOf(req), idOf(req), changes, authorOf(req)),
      view,
    });
  };

  const router = express.Router();
  router.use(noStore);
  router
    .route('/')
    .get(administrators('webhook-policy:Read'), list())
    .post(administrators('webhook-policy:Create'), ...jsonBody(), async (req, res) => {
      const made = await policies.create(accountOf(req), parseBody(newPolicyInput, req.body), authorOf(req));
      res.status(201).location(`${baseUrl}/v1/webhook_policies/${made.policy.id}`);
      sendWithKey(res, made);
    })
    .all(methodNotAllowed('GET', 'HEAD', 'POST'));
  for (const [path, disabled] of [
    ['/enabled', false],
    ['/disabled', true],
  ] as const)
    router.route(path).get(administrators('webhook-policy:Read'), list(disabled)).all(methodNotAllowed('GET', 'HEAD'));
  router
    .route('/:id')
    .get(administrators('webhook-policy:Read'), async (req, res) => {
      sendRecord(req, res, { resource, record: await policies.find(accountOf(req), idOf(req)), view });
    })
    .patch(administrators('webhook-policy:Update'), checkFields(resource), ...jsonBody(), update)
    .put(administrators('webhook-policy:Update'), checkFields(resource), ...jsonBody(), update)
    .delete(administrators('webhook-policy:Delete'), async (req, res) => {
      await policies.remove(accountOf(req), idOf(req));
      res.status(204).end();
    })
    .all(methodNotAllowed('GET', 'HEAD', 'PATCH', 'PUT', 'DELETE'));
  router
    .route('/:id/rotate')
    .post(administrators('webhook-policy:Update'), async (req, res) => {
      sendWithKey(res, await policies.rotate(accountOf(req), idOf(req), authorOf(req)));
    })
    .all(methodNotAllowed('POST'));
  router
    .route('/:id/audit')
    .get(administrators('webhook-policy:Read'), async (req, res) => {
      const source = createArraySource(auditNodes(idOf(req), await policies.audit(accountOf(req), idOf(req))));
      const named = { type: 'WebhookPolicyAuditLine', nodeIdOf: addresses.nodeIdOf } as const;
      await sendCollection(req, res, { resource: auditResource, source, view: named, baseUrl });
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  return router;
}

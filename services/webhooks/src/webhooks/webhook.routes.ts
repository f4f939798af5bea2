import type { Request, Response, Router } from 'express';
import { jsonBody } from '@itsm/shared/api/http/json-body';
import { preconditionOf, tagOfRecord } from '@itsm/shared/api/http/if-match';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { recordIdIn } from '@itsm/shared/api/http/record-id';
import { allow, isPermitted } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { parseBody } from '@itsm/shared/api/rest/parse-body';
import { presentAll } from '@itsm/shared/api/rest/resource';
import { checkFields, sendCollection, sendRecord } from '@itsm/shared/api/rest/send';
import type { Person } from '@itsm/shared/contracts/records';
import type { Addresses } from './addresses';
import type { Webhook } from './webhook';
import { accountOf, callingPerson, createRecordRouter } from './webhook.http';
import { webhookResource as resource } from './webhook.resource';
import type { WebhookInputs, WebhookView } from './webhook.resource';
import type { WebhookService } from './webhook.service';

interface Dependencies {
  readonly webhooks: WebhookService;
  readonly inputs: WebhookInputs;
  readonly addresses: Addresses;
  /** Names of the account's policies by id. */
  readonly policyNames: (accountId: string) => Promise<ReadonlyMap<number, string>>;
  readonly baseUrl: string;
  readonly nodeIdDomain: string;
}

/** `/v1/webhooks`, for account administrators. */
export function createWebhookRouter(dependencies: Dependencies): Router {
  const { webhooks, inputs, addresses, policyNames, baseUrl, nodeIdDomain } = dependencies;
  const personOf = (req: Request): Person => callingPerson(callerOf(req), addresses);
  const idOf = recordIdIn(nodeIdDomain, 'Webhook');
  const viewFor = async (req: Request): Promise<WebhookView> => ({
    ...addresses,
    // Without the scope of policies only the id is shown, which is a setting of the webhook.
    policyNames: isPermitted(callerOf(req), 'webhook-policy:Read') ? await policyNames(accountOf(req)) : new Map(),
  });
  const checkFor = (req: Request) =>
    preconditionOf(req, async (current: Webhook) =>
      tagOfRecord(req, current, presentAll(resource, current, await viewFor(req))),
    );
  const send = async (req: Request, res: Response, record: Webhook) =>
    sendRecord(req, res, { resource, record, view: await viewFor(req) });

  const router = createRecordRouter('webhook', {
    idOf,
    service: webhooks,
    auditType: 'WebhookAuditLine',
    addresses,
    baseUrl,
    list: (disabled) => async (req, res) => {
      const source = webhooks.listing(accountOf(req), disabled);
      await sendCollection(req, res, { resource, source, view: await viewFor(req), baseUrl });
    },
    create: [
      checkFields(resource),
      ...jsonBody(),
      async (req, res) => {
        const webhook = await webhooks.register(accountOf(req), parseBody(inputs.newWebhook, req.body), personOf(req));
        res.status(201).location(addresses.webhookUrl(webhook.id));
        await send(req, res, webhook);
      },
    ],
    async show(req, res) {
      await send(req, res, await webhooks.find(accountOf(req), idOf(req)));
    },
    preconditionOf: checkFor,
    checkFields: checkFields(resource),
    async update(req, res) {
      const changes = parseBody(inputs.webhookChanges, req.body);
      const author = { person: personOf(req), check: checkFor(req) };
      await send(req, res, await webhooks.update(accountOf(req), idOf(req), changes, author));
    },
  });
  // webhook-delivery owns the log but does not know which webhooks exist. So the gateway asks here first.
  router
    .route('/:id/deliveries')
    .get(allow('webhook-delivery:Read', 'account_administrator'), async (req, res) => {
      await webhooks.find(accountOf(req), idOf(req));
      res.status(204).end();
    })
    .all(methodNotAllowed('GET'));
  return router;
}

import { Router } from 'express';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { jsonBody } from '@itsm/shared/api/http/json-body';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { allow } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { parseBody } from '@itsm/shared/api/rest/parse-body';
import { checkFields, sendRecord } from '@itsm/shared/api/rest/send';
import { timeInput } from '@itsm/shared/api/rest/timestamp';
import { deliveryIdOf, deliveryResource, webhookIdOf } from '../deliveries/delivery.resource';
import type { DeliveryView } from '../deliveries/delivery.resource';
import { finishedStates, redeliveryStates } from '../deliveries/redelivery.repository';
import type { Redelivered, RedeliveryService } from './redelivery.service';
import type { RetryService } from './retry.service';

interface Dependencies {
  readonly redeliveries: RedeliveryService;
  readonly retries: RetryService;
  readonly view: DeliveryView;
  readonly baseUrl: string;
}

const time = timeInput();

/** The body of `POST /v1/webhook_deliveries/redeliver`: the ids of deliveries, or a webhook and a time. */
const redeliverySchema = z.union(
  [
    z.strictObject({ ids: z.array(z.string().max(512)).min(1).max(100) }),
    z.strictObject({
      webhook_id: z.union([z.int().min(1), z.string().max(512)]),
      from: time,
      until: time,
      states: z
        .array(z.enum(redeliveryStates))
        .min(1)
        .default([...finishedStates]),
      /** Only counts the deliveries. */
      preview: z.boolean().default(false),
    }),
  ],
  'Either ids (up to 100), or webhook_id, from and until',
);

const mayCreate = allow('webhook-delivery:Create', 'account_administrator');

/** `redeliver`, `:id/redeliver` and `:id/retry` of `/v1/webhook_deliveries`; for account administrators only. */
export function createRedeliveryRouter({ redeliveries, retries, view, baseUrl }: Dependencies): Router {
  const { nodeIdDomain } = view;
  const redeliverMany: RequestHandler = async (req, res) => {
    const { accountId } = callerOf(req);
    const input = parseBody(redeliverySchema, req.body);
    if ('ids' in input) {
      // The answer uses the ids as the caller sent them.
      const texts = [...new Set(input.ids)];
      const results = await redeliveries.redeliverEach(
        accountId,
        texts.map((text) => deliveryIdOf(nodeIdDomain, text)),
      );
      res.json(presentRedelivered(results.map((result, index) => ({ ...result, id: texts[index] ?? result.id }))));
      return;
    }
    const { webhook_id, from, until, states, preview } = input;
    const selection = { webhookId: webhookIdOf(nodeIdDomain, webhook_id), from, until, states };
    if (preview) res.json({ count: await redeliveries.count(accountId, selection) });
    else res.json(presentRedelivered(await redeliveries.redeliverSelected(accountId, selection)));
  };

  const router = Router();
  router
    .route('/redeliver')
    .post(mayCreate, ...jsonBody(), redeliverMany)
    .all(mayCreate, methodNotAllowed('POST'));
  router
    .route('/:id/redeliver')
    .post(mayCreate, checkFields(deliveryResource), async (req, res) => {
      const delivery = await redeliveries.redeliver(callerOf(req).accountId, deliveryIdOf(nodeIdDomain, req.params.id));
      res.status(201).location(`${baseUrl.replace(/\/$/, '')}/v1/webhook_deliveries/${delivery.id}`);
      sendRecord(req, res, { resource: deliveryResource, record: delivery, view });
    })
    .all(mayCreate, methodNotAllowed('POST'));
  router
    .route('/:id/retry')
    .post(mayCreate, checkFields(deliveryResource), async (req, res) => {
      const delivery = await retries.retry(callerOf(req).accountId, deliveryIdOf(nodeIdDomain, req.params.id));
      sendRecord(req, res, { resource: deliveryResource, record: delivery, view });
    })
    .all(mayCreate, methodNotAllowed('POST'));
  return router;
}

function presentRedelivered(results: readonly Redelivered[]) {
  const made = results.flatMap((result) =>
    'delivery' in result ? [{ id: result.id, delivery_id: result.delivery.id }] : [],
  );
  const refused = results.flatMap((result) =>
    'refused' in result ? [{ id: result.id, message: result.refused }] : [],
  );
  return { redelivered: made, refused };
}

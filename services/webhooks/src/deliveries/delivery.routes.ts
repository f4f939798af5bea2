import type { Router } from 'express';
import { z } from 'zod';
import { jsonBody } from '@itsm/shared/api/http/json-body';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { recordIdIn } from '@itsm/shared/api/http/record-id';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { parseBody } from '@itsm/shared/api/rest/parse-body';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { sendCollection } from '@itsm/shared/api/rest/send';
import { presentTime, timeInput } from '@itsm/shared/api/rest/timestamp';
import type { Addresses } from '../webhooks/addresses';
import { accountOf, administrators, callingPerson, createPrivateRouter } from '../webhooks/webhook.http';
import type { WebhookService } from '../webhooks/webhook.service';
import type { EventLog, SeenEvent } from './event-log.repository';
import type { SkippedSummary } from './skipped.repository';
import type { SkippedService } from './skipped.service';
import type { TestSender } from './test-delivery.service';

interface Dependencies {
  readonly webhooks: WebhookService;
  readonly events: EventLog;
  readonly skipped: SkippedService;
  readonly sendTest: TestSender;
  readonly addresses: Addresses;
  readonly baseUrl: string;
  readonly nodeIdDomain: string;
}

/** Routes below `/v1/webhooks/:id`: test deliveries, events, and skipped deliveries. */
export function createDeliveryRouter(dependencies: Dependencies): Router {
  const { webhooks, events, skipped, sendTest, addresses, baseUrl, nodeIdDomain } = dependencies;
  const idOf = recordIdIn(nodeIdDomain, 'Webhook');

  const router = createPrivateRouter();
  router
    .route('/:id/test')
    .post(administrators('webhook:Update'), async (req, res) => {
      await sendTest(accountOf(req), idOf(req), callingPerson(callerOf(req), addresses));
      res.status(204).end();
    })
    .all(methodNotAllowed('POST'));
  router
    .route('/:id/events')
    .get(administrators('webhook:Read'), async (req, res) => {
      const { id: webhookId } = await webhooks.find(accountOf(req), idOf(req));
      const source = events.listing(accountOf(req));
      await sendCollection(req, res, { resource: eventResource, source, view: { webhookId }, baseUrl });
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  router
    .route('/:id/redeliver_skipped')
    .post(administrators('webhook:Update'), ...jsonBody(), async (req, res) => {
      const input = parseBody(skippedInput, req.body);
      const summary = await skipped.redeliver(accountOf(req), idOf(req), input);
      res.status(input.preview ? 200 : 202).json(presentSummary(summary, input.preview));
    })
    .all(methodNotAllowed('POST'));
  return router;
}

/** The webhook whose state at the time of the event is shown. */
interface EventView {
  readonly webhookId: number;
}

const fields: Resource<SeenEvent, EventView>['fields'] = {
  id: ({ id }) => id,
  event: ({ event }) => event,
  object_id: ({ objectId }) => objectId,
  occurred_at: ({ occurredAt }) => presentTime(occurredAt),
  matched_at: ({ matchedAt }) => presentTime(matchedAt),
  state_then: ({ subscribers }, { webhookId }) =>
    subscribers.find((subscriber) => subscriber.webhookId === webhookId)?.state ?? null,
};

/** An event visible to the account, in REST. Its `id` is the parameter of `explain`. */
export const eventResource: Resource<SeenEvent, EventView> = {
  fields,
  collectionFields: Object.keys(fields),
  sortable: { id: 'id', matched_at: 'matchedAt', occurred_at: 'occurredAt' },
  filterable: {
    event: { property: 'event', type: 'string' },
    object_id: { property: 'objectId', type: 'integer' },
    matched_at: { property: 'matchedAt', type: 'time' },
  },
};

const moment = (label: string) => timeInput(`${label} must be a time such as 2026-03-18T19:04:06Z`);

/** Selects skipped deliveries by time; without `from` and `until`, all of them. */
const skippedInput = z.strictObject({
  preview: z.boolean('Preview must be true or false').default(false),
  from: moment('From').optional(),
  until: moment('Until').optional(),
});

/** What was delivered, or would be (preview), with the oldest deliveries as examples. */
const presentSummary = ({ count, first, last, examples }: SkippedSummary, preview: boolean) => ({
  preview,
  count,
  first_skipped_at: presentTime(first),
  last_skipped_at: presentTime(last),
  examples: examples.map(({ deliveryId, eventId, objectId, reason, skippedAt }) => ({
    delivery_id: deliveryId,
    event_id: eventId,
    object_id: objectId,
    reason,
    skipped_at: presentTime(skippedAt),
  })),
});

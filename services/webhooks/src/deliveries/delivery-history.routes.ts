import express from 'express';
import type { Request, Router } from 'express';
import { jsonBody } from '@itsm/shared/api/http/json-body';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { parseBody } from '@itsm/shared/api/rest/parse-body';
import { sendCollection } from '@itsm/shared/api/rest/send';
import type { EventLog } from './event-log.repository';
import { eventResource } from './event.resource';
import { skippedInput } from './skipped.input';
import { presentSummary } from './skipped.resource';
import type { SkippedService } from './skipped.service';
import { accountOf, administrators, noStore, webhookIdOf } from '../webhooks/webhook.http';
import type { WebhookService } from '../webhooks/webhook.service';

interface Dependencies {
  readonly webhooks: WebhookService;
  readonly events: EventLog;
  readonly skipped: SkippedService;
  readonly baseUrl: string;
  readonly nodeIdDomain: string;
}

/** What a webhook was called for, below `/v1/webhooks/:id`: events, and what it skipped. */
export function createDeliveryHistoryRouter(dependencies: Dependencies): Router {
  const { webhooks, events, skipped, baseUrl, nodeIdDomain } = dependencies;
  const idOf = (req: Request<{ id: string }>): number => webhookIdOf(req, nodeIdDomain);

  const router = express.Router();
  router.use(noStore);
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

import express from 'express';
import type { Request, Router } from 'express';
import { badRequest } from '@itsm/shared/errors/app-error';
import { jsonBody } from '@itsm/shared/http/json-body';
import { methodNotAllowed } from '@itsm/shared/http/method-not-allowed';
import type { Post } from '@itsm/shared/mail/post';
import { createArraySource } from '@itsm/shared/rest/array-source';
import { parseBody } from '@itsm/shared/rest/parse-body';
import { checkParameters, parseQueryParameters } from '@itsm/shared/rest/query-parameters';
import { sendCollection } from '@itsm/shared/rest/send';
import { auditNodes } from '../audits/audit-node';
import { auditResource } from '../audits/audit-resource';
import type { Addresses } from '../deliveries/addresses';
import type { EventLog } from '../events/event-log.repository';
import { eventResource } from '../events/event-resource';
import { presentExplanation } from '../explanations/explanation-resource';
import type { Explainer } from '../explanations/explanation.service';
import { mailResource } from '../notices/mail-resource';
import { topicOf } from '../notices/notifier';
import { skippedInput } from '../skipped/skipped-input';
import { presentSummary } from '../skipped/skipped-resource';
import type { SkippedService } from '../skipped/skipped.service';
import { accountOf, administrators, noStore, webhookIdOf } from './webhook-request';
import type { WebhookService } from './webhook.service';

interface Dependencies {
  readonly webhooks: WebhookService;
  readonly events: EventLog;
  readonly explain: Explainer;
  readonly post: Pick<Post, 'listing'>;
  readonly skipped: SkippedService;
  readonly addresses: Addresses;
  readonly baseUrl: string;
  readonly nodeIdDomain: string;
}

/** What happened to a webhook, below `/v1/webhooks/:id`: audit, mails, events, explanations and what it skipped. */
export function createWebhookHistoryRouter(dependencies: Dependencies): Router {
  const { webhooks, events, explain, post, skipped, addresses, baseUrl, nodeIdDomain } = dependencies;
  const idOf = (req: Request<{ id: string }>): number => webhookIdOf(req, nodeIdDomain);

  const router = express.Router();
  router.use(noStore);
  router
    .route('/:id/audit')
    .get(administrators('webhook:Read'), async (req, res) => {
      const source = createArraySource(auditNodes(idOf(req), await webhooks.audit(accountOf(req), idOf(req))));
      const view = { type: 'WebhookAuditLine', nodeIdOf: addresses.nodeIdOf } as const;
      await sendCollection(req, res, { resource: auditResource, source, view, baseUrl });
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  router
    .route('/:id/mails')
    .get(administrators('webhook:Read'), async (req, res) => {
      const { id } = await webhooks.find(accountOf(req), idOf(req));
      const source = post.listing(accountOf(req), topicOf(id));
      await sendCollection(req, res, { resource: mailResource, source, view: undefined, baseUrl });
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  router
    .route('/:id/events')
    .get(administrators('webhook:Read'), async (req, res) => {
      const { id: webhookId } = await webhooks.find(accountOf(req), idOf(req));
      const source = events.listing(accountOf(req));
      await sendCollection(req, res, { resource: eventResource, source, view: { webhookId }, baseUrl });
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  router
    .route('/:id/explain')
    .get(administrators('webhook:Read'), async (req, res) => {
      const parameters = parseQueryParameters(req.originalUrl);
      checkParameters(parameters, ['event_id']);
      const eventId = parameters.get('event_id') ?? '';
      if (eventId === '' || eventId.length > longestEventId) throw badRequest('event_id is required');
      res.json(presentExplanation(await explain(accountOf(req), idOf(req), eventId)));
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

const longestEventId = 200;

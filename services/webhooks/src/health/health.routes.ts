import express from 'express';
import type { Request, Router } from 'express';
import { badRequest } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { checkParameters, parseQueryParameters } from '@itsm/shared/api/rest/query-parameters';
import { sendCollection } from '@itsm/shared/api/rest/send';
import type { Post } from '@itsm/shared/outbound/mail/post';
import { accountOf, administrators, noStore, webhookIdOf } from '../webhooks/webhook.http';
import type { WebhookService } from '../webhooks/webhook.service';
import { longestEventId } from './explanation';
import { presentExplanation } from './explanation.resource';
import type { Explainer } from './explanation.service';
import { mailResource } from './mail.resource';
import { topicOf } from './notifier';

interface Dependencies {
  readonly webhooks: Pick<WebhookService, 'find'>;
  readonly explain: Explainer;
  readonly post: Pick<Post, 'listing'>;
  readonly baseUrl: string;
  readonly nodeIdDomain: string;
}

/** `/v1/webhooks/:id/mails` and `explain`. */
export function createHealthRouter({ webhooks, explain, post, baseUrl, nodeIdDomain }: Dependencies): Router {
  const idOf = (req: Request<{ id: string }>): number => webhookIdOf(req, nodeIdDomain);

  const router = express.Router();
  router.use(noStore);
  router
    .route('/:id/mails')
    .get(administrators('webhook:Read'), async (req, res) => {
      const { id } = await webhooks.find(accountOf(req), idOf(req));
      const source = post.listing(accountOf(req), topicOf(id));
      await sendCollection(req, res, { resource: mailResource, source, view: undefined, baseUrl });
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
  return router;
}

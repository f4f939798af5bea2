import type { Router } from 'express';
import { badRequest } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { recordIdIn } from '@itsm/shared/api/http/record-id';
import { checkParameters, parseQueryParameters } from '@itsm/shared/api/rest/query-parameters';
import { sendCollection } from '@itsm/shared/api/rest/send';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import type { KeptMail } from '@itsm/shared/outbound/mail/mailbox';
import type { Post } from '@itsm/shared/outbound/mail/post';
import { accountOf, administrators, createPrivateRouter } from '../webhooks/webhook.http';
import type { WebhookService } from '../webhooks/webhook.service';
import { longestEventId } from './explanation';
import type { Explanation } from './explanation';
import type { Explainer } from './explanation.service';
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
  const idOf = recordIdIn(nodeIdDomain, 'Webhook');

  const router = createPrivateRouter();
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

/** The REST form of an explanation. */
export const presentExplanation = (explanation: Explanation) => ({
  event_id: explanation.eventId,
  verdict: explanation.verdict,
  reason: explanation.reason,
  visible: explanation.visible,
  event: explanation.event,
  event_matches: explanation.eventMatches,
  occurred_at: presentTime(explanation.occurredAt),
  state_then: explanation.stateThen,
  state: explanation.state,
  verified: explanation.verified,
  delivery_id: explanation.deliveryId,
  attempts: explanation.attempts,
  last_attempt_at: presentTime(explanation.lastAttemptAt),
  last_status: explanation.lastStatus,
  last_error: explanation.lastError,
  next_attempt_at: presentTime(explanation.nextAttemptAt),
});

const fields: Resource<KeptMail>['fields'] = {
  id: ({ id }) => id,
  to: ({ to }) => to,
  subject: ({ subject }) => subject,
  text: ({ text }) => text,
  created_at: ({ createdAt }) => presentTime(createdAt),
  sent_at: ({ sentAt }) => presentTime(sentAt),
};

/** The REST form of a mail about a webhook; `sent_at` is null without a mail server. */
export const mailResource: Resource<KeptMail> = {
  fields,
  collectionFields: Object.keys(fields),
  sortable: { id: 'id', created_at: 'createdAt' },
};

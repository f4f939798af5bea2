import type { Webhook } from '../webhooks/webhook';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { longestEventId, verdicts } from './explanation';
import type { Explainer } from './explanation.service';

interface Dependencies {
  readonly explain: Explainer;
}

export const explanationTypeDefs = /* GraphQL */ `
  extend type Webhook {
    "Why the webhook was called for an event, or was not."
    explain(eventId: String!): WebhookExplanation
  }

  enum WebhookVerdict { ${verdicts.join(' ')} }

  type WebhookExplanation {
    eventId: String!
    verdict: WebhookVerdict!
    reason: String!
    "Whether the account sees an event with this id."
    visible: Boolean!
    event: String
    eventMatches: Boolean
    occurredAt: ISO8601Timestamp
    "The state of the webhook when the event was matched."
    stateThen: WebhookState
    state: WebhookState!
    verified: Boolean!
    "The UUID of the delivery."
    deliveryId: String
    attempts: Int!
    lastAttemptAt: ISO8601Timestamp
    lastStatus: Int
    lastError: String
    nextAttemptAt: ISO8601Timestamp
  }
`;

/** Why a webhook was called for an event, or was not. */
export function createExplanationResolvers({ explain }: Dependencies) {
  return {
    Webhook: {
      explain: allowed<{ readonly eventId: string }, Webhook>(
        'webhook:Read',
        ({ id }, { eventId }, { caller }) => explain(caller.accountId, id, eventId.slice(0, longestEventId)),
        'account_administrator',
      ),
    },
  };
}

import type { Addresses } from '../webhooks/addresses';
import type { Webhook } from '../webhooks/webhook';
import { webhookTools } from '../webhooks/webhook-tools';
import { longestEventId, verdicts } from './explanation';
import type { Explainer } from './explanation.service';

interface Dependencies {
  readonly explain: Explainer;
  readonly addresses: Addresses;
  readonly nodeIdDomain: string;
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
export function createExplanationResolvers({ explain, addresses, nodeIdDomain }: Dependencies) {
  const { read } = webhookTools({ addresses, nodeIdDomain });
  return {
    Webhook: {
      explain: read.field(({ id }: Webhook, { eventId }: { readonly eventId: string }, { caller }) =>
        explain(caller.accountId, id, eventId.slice(0, longestEventId)),
      ),
    },
  };
}

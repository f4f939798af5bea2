import type { Addresses } from '../webhooks/addresses';
import type { Webhook } from '../webhooks/webhook';
import { nodeResolvers } from '@itsm/shared/api/graphql/node-resolvers';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { callingPerson } from '../webhooks/webhook.http';
import type { IdInput } from '@itsm/shared/api/graphql/node-resolvers';
import type { WebhookService } from '../webhooks/webhook.service';
import type { EventDescriber } from './event-description';
import type { SkippedService } from './skipped.service';
import type { TestSender } from './test-delivery.service';
import { webhookPayload } from '../webhooks/webhook.sdl';

/** SDL of test deliveries and skipped deliveries. */
export const deliveryTypeDefs = /* GraphQL */ `
  extend type Query {
    "The events that a webhook can be registered for; for account administrators."
    webhookEvents: [WebhookEventDescription!]!
  }

  type WebhookEventDescription {
    name: WebhookEvent!
    "The GraphQL type of the records."
    recordType: String!
    "A sentence."
    description: String!
    "Members of \`payload\` that other events of the record type lack."
    extraMembers: [String!]!
    "The body of a test delivery as JSON text; the webhook in it has the id 12345, too."
    sampleBody: String!
  }

  extend type Mutation {
    "Sends a sample of the event with the object id 12345, in every state."
    webhookTest(input: WebhookIdInput!): WebhookTestPayload
    "Has what the webhook skipped delivered to the address that it has now."
    webhookRedeliverSkipped(input: WebhookRedeliverSkippedInput!): WebhookRedeliverSkippedPayload
  }

  extend type Webhook {
    "What was not delivered while the webhook was unverified or disabled, in the last 30 days."
    skipped(from: ISO8601Timestamp, until: ISO8601Timestamp): WebhookSkipped
  }

  type WebhookSkipped {
    count: Int!
    firstSkippedAt: ISO8601Timestamp
    lastSkippedAt: ISO8601Timestamp
    "The oldest of them, 20 at most."
    examples: [WebhookSkippedDelivery!]!
  }

  type WebhookSkippedDelivery {
    deliveryId: String!
    eventId: String!
    objectId: Int!
    reason: WebhookState!
    skippedAt: ISO8601Timestamp!
  }

  input WebhookRedeliverSkippedInput {
    id: ID!
    from: ISO8601Timestamp
    until: ISO8601Timestamp
    clientMutationId: String
  }

  ${webhookPayload('WebhookTestPayload')}
  ${webhookPayload('WebhookRedeliverSkippedPayload', 'skipped: WebhookSkipped')}
`;

interface Dependencies {
  readonly webhooks: Pick<WebhookService, 'find'>;
  readonly sendTest: TestSender;
  readonly skipped: SkippedService;
  readonly describe: EventDescriber;
  readonly addresses: Addresses;
  readonly nodeIdDomain: string;
}

interface Period {
  readonly from?: Date | null;
  readonly until?: Date | null;
}

type PeriodInput = IdInput & Period;

/** Resolvers of test deliveries and skipped deliveries. */
export function createDeliveryResolvers({
  webhooks,
  sendTest,
  skipped,
  describe,
  addresses,
  nodeIdDomain,
}: Dependencies) {
  const { idOf, mutation } = nodeResolvers({ type: 'Webhook', nodeIdDomain, restNames: {} });
  const period = ({ from, until }: Period) => ({ ...(from && { from }), ...(until && { until }) });

  return {
    Query: {
      webhookEvents: allowed(
        'webhook:Read',
        (_parent, _args, { caller }) => describe(caller.accountId, callingPerson(caller, addresses)),
        'account_administrator',
      ),
    },
    Mutation: {
      webhookTest: mutation<IdInput>('webhook:Update', async ({ id }, caller) => {
        await sendTest(caller.accountId, idOf(id), callingPerson(caller, addresses));
        return { webhook: await webhooks.find(caller.accountId, idOf(id)) };
      }),
      webhookRedeliverSkipped: mutation<PeriodInput>('webhook:Update', async ({ id, ...ends }, { accountId }) => ({
        skipped: await skipped.redeliver(accountId, idOf(id), { preview: false, ...period(ends) }),
        webhook: await webhooks.find(accountId, idOf(id)),
      })),
    },
    Webhook: {
      skipped: allowed<Period, Webhook>(
        'webhook:Read',
        ({ id }, ends, { caller }) => skipped.redeliver(caller.accountId, id, { preview: true, ...period(ends) }),
        'account_administrator',
      ),
    },
    WebhookSkipped: {
      firstSkippedAt: ({ first }: { readonly first: Date | null }) => first,
      lastSkippedAt: ({ last }: { readonly last: Date | null }) => last,
    },
  };
}

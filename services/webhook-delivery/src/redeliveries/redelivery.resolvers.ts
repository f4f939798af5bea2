import { AppError, badRequest, validationFailed } from '@itsm/shared/base/errors/app-error';
import { mutationTypeDefs } from '@itsm/shared/api/graphql/mutation-payload';
import type { MutationArgs, MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import { nodeResolvers } from '@itsm/shared/api/graphql/node-resolvers';
import type { IdInput } from '@itsm/shared/api/graphql/node-resolvers';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { deliveryIdOf, webhookIdOf } from '../deliveries/delivery.resource';
import { finishedStates, redeliveryStates } from '../deliveries/redelivery.repository';
import type { RedeliverySelection, RedeliveryState } from '../deliveries/redelivery.repository';
import type { Redelivered, RedeliveryService } from './redelivery.service';
import type { RetryService } from './retry.service';

export const redeliveryTypeDefs = /* GraphQL */ `
  type Mutation {
    "Makes a finished delivery again, as a delivery of its own, to the address it was made for."
    webhookDeliveryRedeliver(input: WebhookDeliveryRedeliverInput!): WebhookDeliveryRedeliverPayload
    "The same for up to 100 of them, or for what one webhook missed in a time, up to 1,000 at once; errors name what is refused."
    webhookDeliveriesRedeliver(input: WebhookDeliveriesRedeliverInput!): WebhookDeliveriesRedeliverPayload
    "Makes the next attempt of a waiting delivery now; the number of the attempt does not change."
    webhookDeliveryRetry(input: WebhookDeliveryRetryInput!): WebhookDeliveryRetryPayload
  }

  input WebhookDeliveryRedeliverInput {
    id: ID!
    clientMutationId: String
  }

  type WebhookDeliveryRedeliverPayload {
    webhookDelivery: WebhookDelivery
    errors: [ValidationError!]!
    clientMutationId: String
  }

  "Either \`ids\`, or \`webhookId\`, \`from\` and \`until\`."
  input WebhookDeliveriesRedeliverInput {
    "Up to 100."
    ids: [ID!]
    "Selects the webhook's deliveries from \`from\` to \`until\`, both included, that were not redelivered yet."
    webhookId: ID
    from: ISO8601Timestamp
    until: ISO8601Timestamp
    "failed and stopped when absent; with \`webhookId\` only."
    states: [WebhookRedeliveryState!]
    "Only counts; with \`webhookId\` only."
    preview: Boolean
    clientMutationId: String
  }

  "The states of the deliveries: failed and stopped ones get a new delivery, pending ones that have failed before their next attempt."
  enum WebhookRedeliveryState { ${redeliveryStates.join(' ')} }

  type WebhookDeliveriesRedeliverPayload {
    "The number of selected deliveries in a preview, otherwise of those that were made."
    count: Int!
    webhookDeliveries: [WebhookDelivery!]!
    errors: [ValidationError!]!
    clientMutationId: String
  }

  input WebhookDeliveryRetryInput {
    id: ID!
    clientMutationId: String
  }

  type WebhookDeliveryRetryPayload {
    webhookDelivery: WebhookDelivery
    errors: [ValidationError!]!
    clientMutationId: String
  }

  ${mutationTypeDefs}
`;

interface Dependencies {
  readonly redeliveries: RedeliveryService;
  readonly retries: RetryService;
  readonly nodeIdDomain: string;
}

type Redeliveries = MutationInput & {
  readonly ids?: readonly string[] | null;
  readonly webhookId?: string | null;
  readonly from?: Date | null;
  readonly until?: Date | null;
  readonly states?: readonly RedeliveryState[] | null;
  readonly preview?: boolean | null;
};

const administrator = 'account_administrator';
const mostAtOnce = 100;

export function createRedeliveryResolvers({ redeliveries, retries, nodeIdDomain }: Dependencies) {
  const { mutation } = nodeResolvers({ type: 'WebhookDelivery', nodeIdDomain, restNames: {} });
  return {
    Mutation: {
      webhookDeliveryRedeliver: mutation<IdInput>('webhook-delivery:Create', async ({ id: text }, { accountId }) => {
        const id = deliveryIdOf(nodeIdDomain, text);
        return { webhookDelivery: await redeliveries.redeliver(accountId, id).catch(refusedBy('id')) };
      }),
      webhookDeliveriesRedeliver: allowed<MutationArgs<Redeliveries>>(
        'webhook-delivery:Create',
        async (_parent, { input }, { caller: { accountId } }) => {
          const { clientMutationId, preview } = input;
          const selected = parseSelected(input);
          if ('ids' in selected) {
            const ids = selected.ids.map((text) => deliveryIdOf(nodeIdDomain, text));
            const results = await redeliveries.redeliverEach(accountId, ids);
            const refusal = (message: string, index: number) => ({ message, path: ['ids', String(index)] });
            return { ...present(results, refusal), clientMutationId };
          }
          const { webhookId, ...others } = selected;
          const selection = { ...others, webhookId: webhookIdOf(nodeIdDomain, webhookId) };
          if (preview) {
            const count = await redeliveries.count(accountId, selection);
            return { count, webhookDeliveries: [], errors: [], clientMutationId };
          }
          const results = await redeliveries.redeliverSelected(accountId, selection);
          const refusal = (message: string, _index: number, id: string) => ({
            message: `${id}: ${message}`,
            path: ['webhookId'],
          });
          return { ...present(results, refusal), clientMutationId };
        },
        administrator,
      ),
      webhookDeliveryRetry: mutation<IdInput>('webhook-delivery:Create', async ({ id: text }, { accountId }) => {
        const id = deliveryIdOf(nodeIdDomain, text);
        return { webhookDelivery: await retries.retry(accountId, id).catch(refusedBy('id')) };
      }),
    },
  };
}

type Selected =
  { readonly ids: readonly string[] } | (Omit<RedeliverySelection, 'webhookId'> & { readonly webhookId: string });

/** The selection of deliveries: by ids, or by webhook and time. A 400 for anything else, such as members of both. */
function parseSelected({ ids, webhookId, from, until, states, preview }: Redeliveries): Selected {
  const ofSelection = [webhookId, from, until, states, preview];
  if (ids && ofSelection.every((member) => (member ?? undefined) === undefined)) {
    if (ids.length > mostAtOnce) throw badRequest(`At most ${mostAtOnce} ids at once`);
    return { ids };
  }
  if (ids || webhookId == null || !from || !until)
    throw badRequest('Either `ids`, or `webhookId`, `from` and `until` with `states` and `preview`');
  return { webhookId, from, until, states: states ?? finishedStates };
}

/** The payload: new deliveries without duplicates, and a `refusal` for each of the others. */
function present(results: readonly Redelivered[], refusal: (message: string, index: number, id: string) => object) {
  const made = new Map(
    results.flatMap((result) => ('delivery' in result ? [[result.delivery.id, result.delivery]] : [])),
  );
  const errors = results.flatMap((result, index) =>
    'refused' in result ? [refusal(result.refused, index, result.id)] : [],
  );
  return { count: made.size, webhookDeliveries: [...made.values()], errors };
}

/** Turns a conflict into a validation error of the input member that names the record. */
const refusedBy =
  (member: string) =>
  (error: unknown): never => {
    if (error instanceof AppError && error.code === 'conflict') throw validationFailed([[member, error.message]]);
    throw error;
  };

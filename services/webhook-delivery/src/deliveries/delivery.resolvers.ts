import { AppError, validationFailed } from '@itsm/shared/errors/app-error';
import type { ConnectionArgs } from '@itsm/shared/graphql/connections';
import type { SubgraphContext } from '@itsm/shared/graphql/context';
import { checkOrderFields } from '@itsm/shared/graphql/list-arguments';
import type { ListArguments } from '@itsm/shared/graphql/list-arguments';
import { toPayload } from '@itsm/shared/graphql/mutation-payload';
import type { MutationArgs, MutationInput } from '@itsm/shared/graphql/mutation-payload';
import { allowed } from '@itsm/shared/graphql/resolver';
import { checkAllowed } from '@itsm/shared/identity/allow';
import { parseRecordId, toNodeId } from '@itsm/shared/ids/node-id';
import { loadSortedConnection } from '@itsm/shared/rest/sorted-connection';
import type { RedeliveryService } from '../redeliveries/redelivery.service';
import { nextAttemptOf } from './delivery';
import type { Attempt, Delivery } from './delivery';
import { parseDeliveryId } from './delivery-id';
import { toConditions } from './delivery-filter';
import type { FilterArgument } from './delivery-filter';
import { newestFirst, oldestFirst } from './delivery-list';
import type { DeliveryFilter, DeliveryRepository } from './delivery.repository';
import { maskedUriOf } from './delivery.resource';
import type { DeliveryView } from './delivery.resource';

interface Dependencies {
  readonly deliveries: DeliveryRepository;
  readonly redeliveries: RedeliveryService;
  readonly view: DeliveryView;
}

type ListArgs = ConnectionArgs & { readonly filter?: FilterArgument | null } & Pick<ListArguments, 'order'>;
type Redelivery = MutationInput & { readonly id: string };
type Redeliveries = MutationInput & { readonly ids: readonly string[] };

const administrator = 'account_administrator';
const nobody = 0;

export function createDeliveryResolvers({ deliveries, redeliveries, view }: Dependencies) {
  const { nodeIdDomain, requests } = view;
  const idOf = (text: string): string => parseDeliveryId(nodeIdDomain, text) ?? '';
  const webhookIdOf = (text: string): number => parseRecordId(nodeIdDomain, 'Webhook', text) ?? nobody;
  const connection = (accountId: string, narrow: DeliveryFilter, args: ListArgs) =>
    loadSortedConnection(args, {
      source: deliveries.collect(accountId, narrow),
      ...{ order: orderOf(args), filter: toConditions(args.filter, webhookIdOf), fields: [] },
    });
  const load = async (accountId: string, id: string) => (await deliveries.find(accountId, idOf(id))) ?? null;

  return {
    Query: {
      webhookDeliveries: allowed<ListArgs>(
        'webhook-delivery:Read',
        (_parent, args, { caller }) => connection(caller.accountId, {}, args),
        administrator,
      ),
      webhookDelivery: allowed<{ readonly id: string }>(
        'webhook-delivery:Read',
        (_parent, { id }, { caller }) => load(caller.accountId, id),
        administrator,
      ),
    },
    Mutation: {
      webhookDeliveryRedeliver: allowed<MutationArgs<Redelivery>>(
        'webhook-delivery:Create',
        (_parent, { input }, { caller }) =>
          toPayload(input, async ({ id }) => ({
            webhookDelivery: await redeliveries.redeliver(caller.accountId, idOf(id)).catch(refusedBy('id')),
          })),
        administrator,
      ),
      webhookDeliveriesRedeliver: allowed<MutationArgs<Redeliveries>>(
        'webhook-delivery:Create',
        async (_parent, { input: { ids, clientMutationId } }, { caller }) => {
          if (ids.length > mostAtOnce) throw new AppError('bad_request', `At most ${mostAtOnce} ids at once`);
          const results = await redeliveries.redeliverEach(caller.accountId, ids.map(idOf));
          const errors = results.flatMap((one, index) =>
            'refused' in one ? [{ message: one.refused, path: ['ids', String(index)] }] : [],
          );
          const made = new Set(results.flatMap((one) => ('delivery' in one ? [one.delivery] : [])));
          return { webhookDeliveries: [...made], errors, clientMutationId };
        },
        administrator,
      ),
    },
    Webhook: {
      deliveries: (webhook: { readonly id: string }, args: ListArgs, { caller }: SubgraphContext) => {
        checkAllowed(caller, 'webhook-delivery:Read', [administrator]);
        return connection(caller.accountId, { webhookId: webhookIdOf(webhook.id) }, args);
      },
    },
    WebhookDelivery: {
      // Async: a throw here would void the answers for all the other references of the call.
      async __resolveReference({ id }: { readonly id: string }, { caller }: SubgraphContext) {
        checkAllowed(caller, 'webhook-delivery:Read', [administrator]);
        return load(caller.accountId, id);
      },
      id: ({ id }: Delivery) => toNodeId(nodeIdDomain, 'WebhookDelivery', id),
      deliveryId: ({ id }: Delivery) => id,
      webhook: ({ webhookId }: Delivery) => ({ id: toNodeId(nodeIdDomain, 'Webhook', webhookId) }),
      uri: (delivery: Delivery) => maskedUriOf(delivery, requests),
      origin: ({ accountId, origin }: Delivery) => (origin === null ? null : deliveries.find(accountId, origin)),
      stoppedReason: ({ stoppedBecause }: Delivery) => stoppedBecause,
      nextAttemptAt: nextAttemptOf,
      request: (delivery: Delivery) => presentRequest(delivery, view),
    },
    WebhookDeliveryAttempt: {
      attempt: ({ number }: Attempt) => number,
      milliseconds: ({ timings }: Attempt) => timings,
    },
  };
}

const mostAtOnce = 100;

/** There is one field to order by: the first step decides. */
function orderOf({ order }: ListArgs) {
  checkOrderFields(order ?? []);
  return order?.[0] && order[0].direction !== 'desc' ? oldestFirst : newestFirst;
}

function presentRequest(delivery: Delivery, { requests }: DeliveryView) {
  const sent = requests.asSent(delivery);
  if (!sent) return null;
  const headers = Object.entries(sent.headers).map(([name, value]) => ({ name, value }));
  return { ...sent, headers, body: JSON.stringify(sent.body) };
}

/** What the state of a record forbids is told of the member that names it. */
const refusedBy =
  (member: string) =>
  (error: unknown): never => {
    if (error instanceof AppError && error.code === 'conflict') throw validationFailed([[member, error.message]]);
    throw error;
  };

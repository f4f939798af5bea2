import type { ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import { checkOrderFields, toConditions } from '@itsm/shared/api/graphql/list-arguments';
import type { ListArguments } from '@itsm/shared/api/graphql/list-arguments';
import { allowed, allowedReference } from '@itsm/shared/api/graphql/resolver';
import type { Condition } from '@itsm/shared/api/rest/filter';
import type { SortValue } from '@itsm/shared/api/rest/resource';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { loadSortedConnection } from '@itsm/shared/api/graphql/sorted-connection';
import { nextAttemptOf } from './delivery';
import type { Attempt, Delivery } from './delivery';
import { checkSpan, toCounts } from './delivery-counts';
import type { CountedSpan } from './delivery-counts';
import type { DeliveryCountsRepository } from './delivery-counts.repository';
import { newestFirst, oldestFirst } from './delivery.repository';
import type { DeliveryFilter, DeliveryRepository } from './delivery.repository';
import { deliveryIdOf, maskedUriOf, recordOf, webhookIdOf } from './delivery.resource';
import type { DeliveryView } from './delivery.resource';

interface Dependencies {
  readonly deliveries: DeliveryRepository;
  readonly counts: DeliveryCountsRepository;
  readonly view: DeliveryView;
}

type ListArgs = ConnectionArgs & ListArguments;

const administrator = 'account_administrator';

export function createDeliveryResolvers({ deliveries, counts, view }: Dependencies) {
  const { nodeIdDomain, requests } = view;
  const numberOf = (text: string): number => webhookIdOf(nodeIdDomain, text);
  const connection = (accountId: string, narrow: DeliveryFilter, args: ListArgs) =>
    loadSortedConnection(args, {
      source: deliveries.collect(accountId, narrow),
      order: orderOf(args),
      filter: toConditions(args).map(asStored),
      fields: [],
    });
  /** Converts node ids of webhooks in a filter to the stored numbers. */
  function asStored(condition: Condition): Condition {
    if (condition.property === 'errorClass') return { ...condition, property: 'lastErrorClass' };
    if (condition.property !== 'webhook') return condition;
    const numbersOf = (ids: readonly SortValue[]) => ids.map((id) => numberOf(String(id)));
    if ('in' in condition) return { property: 'webhookId', in: numbersOf(condition.in) };
    return 'notIn' in condition ? { property: 'webhookId', notIn: numbersOf(condition.notIn) } : condition;
  }
  const load = async (accountId: string, id: string) =>
    (await deliveries.find(accountId, deliveryIdOf(nodeIdDomain, id))) ?? null;

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
      webhookDeliveryCounts: allowed<CountedSpan & { readonly webhookId?: string | null }>(
        'webhook-delivery:Read',
        async (_parent, { webhookId, ...span }, { caller }) => {
          checkSpan(span);
          const filter = webhookId == null ? {} : { webhookId: numberOf(webhookId) };
          return toCounts(span, await counts.count(caller.accountId, filter, span));
        },
        administrator,
      ),
    },
    Webhook: {
      deliveries: allowed<ListArgs, { readonly id: string }>(
        'webhook-delivery:Read',
        (webhook, args, { caller }) => connection(caller.accountId, { webhookId: numberOf(webhook.id) }, args),
        administrator,
      ),
    },
    WebhookDelivery: {
      __resolveReference: allowedReference(
        'webhook-delivery:Read',
        ({ id }, { caller }) => load(caller.accountId, id),
        administrator,
      ),
      id: ({ id }: Delivery) => toNodeId(nodeIdDomain, 'WebhookDelivery', id),
      deliveryId: ({ id }: Delivery) => id,
      webhook: ({ webhookId }: Delivery) => ({ id: toNodeId(nodeIdDomain, 'Webhook', webhookId) }),
      record: (delivery: Delivery) => recordOf(nodeIdDomain, delivery) ?? null,
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

/** Only `createdAt` can be ordered by, so the first step decides. */
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

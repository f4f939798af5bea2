import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import { maskUri } from '@itsm/shared/outbound/calls/mask-uri';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import { parseNodeId, parseRecordId, toNodeId } from '@itsm/shared/base/ids/node-id';
import type { Attempt, Delivery } from './delivery';
import { nextAttemptOf } from './delivery';
import type { RequestLog } from './request-log';

/** What presenting a delivery needs besides the delivery. */
export interface DeliveryView {
  readonly nodeIdDomain: string;
  readonly requests: RequestLog;
}

/** The REST form of a delivery. The sent request is shown only for a single delivery, and secrets never. */
export const deliveryResource: Resource<Delivery, DeliveryView> = {
  fields: {
    id: ({ id }) => id,
    nodeID: ({ id }, { nodeIdDomain }) => toNodeId(nodeIdDomain, 'WebhookDelivery', id),
    webhook: ({ webhookId }, { nodeIdDomain }) => ({
      id: webhookId,
      nodeID: toNodeId(nodeIdDomain, 'Webhook', webhookId),
    }),
    event: ({ event }) => event,
    event_id: ({ eventId }) => eventId,
    object_id: ({ objectId }) => objectId ?? null,
    object_nodeID: (delivery, { nodeIdDomain }) => recordOf(nodeIdDomain, delivery)?.id ?? null,
    test: ({ test }) => test,
    origin: ({ origin }) => origin,
    uri: (delivery, { requests }) => maskedUriOf(delivery, requests),
    host: ({ host }) => host,
    state: ({ state }) => state,
    stopped_reason: ({ stoppedBecause }) => stoppedBecause,
    attempts: ({ attempts }) => attempts.map(presentAttempt),
    next_attempt_at: (delivery) => presentTime(nextAttemptOf(delivery)),
    requested_at: ({ requestedAt }) => presentTime(requestedAt),
    created_at: ({ createdAt }) => presentTime(createdAt),
    request: (delivery, { requests }) => requests.asSent(delivery),
  },
  collectionFields: ['*'],
  singleOnly: ['request'],
  sortable: { created_at: 'createdAt' },
  filterable: {
    state: { property: 'state', type: 'string' },
    event: { property: 'event', type: 'string' },
    event_id: { property: 'eventId', type: 'string' },
    object_id: { property: 'objectId', type: 'identifier' },
    error_class: { property: 'lastErrorClass', type: 'string' },
    last_status: { property: 'lastStatus', type: 'identifier' },
    host: { property: 'host', type: 'string' },
    test: { property: 'test', type: 'boolean' },
    requested_at: { property: 'requestedAt', type: 'time' },
    created_at: { property: 'createdAt', type: 'time' },
  },
};

/** The type and node id of the record; undefined when there is none, as for a test delivery. */
export function recordOf(
  nodeIdDomain: string,
  { event, objectId, test }: Delivery,
): { readonly __typename: string; readonly id: string } | undefined {
  const [name = ''] = event.split('.', 1);
  const kinds: Readonly<Record<string, { readonly graphqlName: string }>> = recordKinds;
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (!kind || objectId === undefined || test) return undefined;
  return { __typename: kind.graphqlName, id: toNodeId(nodeIdDomain, kind.graphqlName, objectId) };
}

export function maskedUriOf(delivery: Delivery, requests: RequestLog): string | null {
  const request = requests.open(delivery);
  return request ? maskUri(request.uri) : null;
}

function presentAttempt({ number, at, outcome, fault, status, error, errorClass, timings }: Attempt) {
  return {
    attempt: number,
    at: presentTime(at),
    outcome,
    status,
    error,
    error_class: errorClass,
    fault,
    milliseconds: timings && {
      dns: timings.dns ?? null,
      connect: timings.connect ?? null,
      tls: timings.tls ?? null,
      first_byte: timings.firstByte ?? null,
      total: timings.total,
    },
  };
}

/** The UUID of a delivery, from the UUID or the node id; anything else becomes an id that no delivery has. */
export function deliveryIdOf(nodeIdDomain: string, text: string): string {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)) return text;
  const ref = parseNodeId(nodeIdDomain, text);
  return ref?.type === 'WebhookDelivery' ? ref.id : '';
}

/** The number of a webhook, from the number or the node id; anything else becomes a number that no webhook has. */
export const webhookIdOf = (nodeIdDomain: string, text: string | number): number =>
  parseRecordId(nodeIdDomain, 'Webhook', String(text)) ?? 0;

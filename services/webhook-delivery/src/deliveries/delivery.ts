import type { AttemptFinished, DeliveryRequested, WebhookStopped } from '@itsm/shared/contracts/deliveries';
import type { Timings } from '@itsm/shared/outbound/calls/trace';
import { traceHeader } from '@itsm/shared/observing/tracing/tracing';

/**
 * `pending`: waits for an attempt or is being attempted. `skipped`: kept unsent, until its redelivery is requested. The
 * others are final.
 */
export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'stopped' | 'skipped';

/** The priority class: first attempts go before retries. */
export type Lane = 'first' | 'retry';

/** Machine-readable classes of failure. Stable, unlike the error text. */
export const errorClasses = {
  http_status: 'The receiver answered with a status that is no success.',
  redirect: 'The receiver answered with a redirect and its Location, which is not followed.',
  timeout: 'No complete answer within 10 seconds.',
  dns: 'The host name has no address.',
  name_server: 'Our name server gave no answer.',
  connect: 'The connection could not be made.',
  tls: 'The connection could not be secured, as with a bad certificate.',
  reset: 'The connection was closed before the answer.',
  protocol: 'The answer is not valid HTTP.',
  refused_uri: 'The address is not a valid URI.',
  refused_scheme: 'The scheme of the address is not called.',
  refused_port: 'The port of the address is not called.',
  refused_address: 'The host is not a public address.',
  signing: 'The body could not be signed with the policy of the webhook.',
  internal: 'A fault of ours kept the call from being made.',
  lost: 'The process that made the call was not heard of again.',
} as const;

export type ErrorClass = keyof typeof errorClasses;

/** One attempt: a call that was made, or that our guard or an internal fault prevented. */
export interface Attempt {
  readonly number: number;
  readonly at: Date;
  readonly outcome: AttemptFinished['outcome'];
  readonly fault: AttemptFinished['fault'];
  readonly status: number | null;
  readonly error: string | null;
  /** Null when it succeeded. */
  readonly errorClass: ErrorClass | null;
  readonly timings: Timings | null;
  /** The fencing token of the attempt's lease; makes recording the result idempotent. */
  readonly fence: number;
  /** Its process died. A late result replaces this entry. */
  readonly lost?: true;
}

/** One occurrence of an event for one webhook. */
export interface Delivery {
  /** A UUID, the same on every attempt. */
  readonly id: string;
  readonly accountId: string;
  readonly webhookId: number;
  readonly eventId: string;
  readonly event: string;
  /** The id of the event's record; absent when there is none. */
  readonly objectId?: number;
  readonly test: boolean;
  readonly requestedAt: Date;
  /** When the request arrived. */
  readonly createdAt: Date;
  /** Address, body and Link header, encrypted; see `sealedRequest`. */
  readonly sealed: string;
  /** `host:port` of the address, for concurrency limits; empty when there is none. */
  readonly host: string;
  readonly state: DeliveryState;
  /** Why it was stopped or skipped. */
  readonly stoppedBecause: WebhookStopped['reason'] | 'unverified' | null;
  readonly attempts: readonly Attempt[];
  /** Of the last attempt, for filters; absent before the first attempt. */
  readonly lastErrorClass?: ErrorClass | null;
  readonly lastStatus?: number | null;
  /** When it can be claimed: the time of the next attempt, or the end of the lease. Null in a final state. */
  readonly dueAt: Date | null;
  /** The queue it waits in, named by lane and destination. */
  readonly line: string;
  /** Whether a process holds a lease on it until `dueAt`. */
  readonly leased: boolean;
  /** The process of the last lease. */
  readonly owner: string | null;
  /** The fencing token: incremented by every lease. A result is written only with the fence of its lease. */
  readonly fence: number;
  /** For a redelivery: the id of the delivery that it repeats. */
  readonly origin: string | null;
  /** W3C trace context of the request, if any. */
  readonly traceparent?: string;
}

/**
 * The key of a destination: a host as called by one account. One account's slow or heavy use of a host must not delay
 * other accounts' deliveries to it.
 */
export const destinationOf = ({ accountId, host }: Pick<Delivery, 'accountId' | 'host'>): string =>
  `${host} ${accountId}`;

export const hostOfDestination = (destination: string): string => destination.split(' ', 1)[0] ?? '';

export const accountOfDestination = (destination: string): string =>
  destination.slice(hostOfDestination(destination).length + 1);

export const lineOf = (lane: Lane, destination: string): string => `${lane} ${destination}`;

export function parseLine(line: string): { readonly lane: Lane; readonly destination: string } {
  const [lane = ''] = line.split(' ', 1);
  return { lane: lane === 'retry' ? 'retry' : 'first', destination: line.slice(lane.length + 1) };
}

/** The time of the next attempt; null during an attempt, and in a final state. */
export const nextAttemptOf = ({ leased, dueAt }: Delivery): Date | null => (leased ? null : dueAt);

/** The members of a delivery that describe its last attempt. */
export const lastOf = ({ errorClass, status }: Attempt): Pick<Delivery, 'lastErrorClass' | 'lastStatus'> => ({
  lastErrorClass: errorClass,
  lastStatus: status,
});

export const attemptNumber = ({ attempts }: Delivery): number => attempts.length + 1;

/** The exclusive claim of a process on a delivery, until it expires. */
export interface Lease {
  readonly owner: string;
  readonly until: Date;
}

/** A new delivery: leased at once, or free and due. */
export function toDelivery(message: DeliveryRequested, host: string, now: Date, lease: Lease | undefined): Delivery {
  const { deliveryId, accountId, webhookId, eventId, event, objectId, test, sealed } = message;
  return {
    id: deliveryId,
    accountId,
    webhookId,
    eventId,
    event,
    ...(objectId !== undefined && { objectId }),
    test,
    sealed,
    host,
    requestedAt: new Date(message.at),
    createdAt: now,
    state: 'pending',
    stoppedBecause: null,
    attempts: [],
    line: lineOf('first', destinationOf({ accountId, host })),
    dueAt: lease?.until ?? now,
    leased: lease !== undefined,
    owner: lease?.owner ?? null,
    fence: lease ? 1 : 0,
    origin: null,
    ...traceHeader(),
  };
}

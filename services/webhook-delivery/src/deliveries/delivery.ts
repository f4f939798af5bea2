import type { AttemptFinished, DeliveryRequested, WebhookStopped } from '@itsm/shared/contracts/deliveries';
import type { Timings } from '@itsm/shared/outbound/calls/trace';
import { traceHeader } from '@itsm/shared/observing/tracing/tracing';

/** `pending` waits for its next attempt or is at it; `skipped` was never to be made, but may be yet; the others are final. */
export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'stopped' | 'skipped';

/** First attempts go before retries. */
export type Lane = 'first' | 'retry';

/** What kind of failure an attempt ended with; stable, unlike the sentence beside it. */
export const errorClasses = {
  http_status: 'The receiver answered with a status that is no success.',
  redirect: 'The receiver answered with a redirect, which is not followed.',
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

/** One call that was made, or that our own guard or fault kept from being made. */
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
  /** The fence of the lease it was made under: what keeps a result from being written twice. */
  readonly fence: number;
  /** Its process was not heard of again; the result stands in its place should it come after all. */
  readonly lost?: true;
}

/** One occurrence of an event for one webhook. */
export interface Delivery {
  /** UUID, the same on every attempt. */
  readonly id: string;
  readonly accountId: string;
  readonly webhookId: number;
  readonly eventId: string;
  readonly event: string;
  /** The record of the event; absent when the event has none, or an earlier release requested the delivery. */
  readonly objectId?: number;
  readonly test: boolean;
  readonly requestedAt: Date;
  /** When it reached us. */
  readonly createdAt: Date;
  /** Address, body and Link header; see `sealedRequest`. */
  readonly sealed: string;
  /** `host:port` of the address, what concurrency is bounded by; empty when there is none. */
  readonly host: string;
  readonly state: DeliveryState;
  /** Also why it is skipped. */
  readonly stoppedBecause: WebhookStopped['reason'] | 'unverified' | null;
  readonly attempts: readonly Attempt[];
  /** Of the last attempt, for filters; absent before the first one. */
  readonly lastErrorClass?: ErrorClass | null;
  readonly lastStatus?: number | null;
  /** When it may be claimed: the time of the next attempt, or the end of the lease; null when nothing follows. */
  readonly dueAt: Date | null;
  /** What it waits in: lane and destination. */
  readonly line: string;
  /** Whether one process has it to itself until `dueAt`. */
  readonly leased: boolean;
  /** The process that leased it last. */
  readonly owner: string | null;
  /** Grows with every lease; a result is written only under the fence it was claimed with. */
  readonly fence: number;
  /** The delivery that this one repeats on request. */
  readonly origin: string | null;
  /** The trace that it was requested in (W3C), where there is one. */
  readonly traceparent?: string;
}

/**
 * A host as one account calls it: one account's slow or heavy use of a host must not delay other accounts' deliveries
 * to it.
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

/** When it is attempted next; null while that is under way, and when none follows. */
export const nextAttemptOf = ({ leased, dueAt }: Delivery): Date | null => (leased ? null : dueAt);

/** The members of a delivery that describe its last attempt. */
export const lastOf = ({ errorClass, status }: Attempt): Pick<Delivery, 'lastErrorClass' | 'lastStatus'> => ({
  lastErrorClass: errorClass,
  lastStatus: status,
});

export const attemptNumber = ({ attempts }: Delivery): number => attempts.length + 1;

/** What a process holds while it attempts a delivery. */
export interface Lease {
  readonly owner: string;
  readonly until: Date;
}

/** A delivery as it is first stored: leased at once, or free and due. */
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

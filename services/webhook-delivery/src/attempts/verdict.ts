import type { OutboundResult } from '@itsm/shared/outbound/calls/outbound';
import { attemptNumber } from '../deliveries/delivery';
import type { Attempt, Delivery, ErrorClass } from '../deliveries/delivery';
import type { Verdict } from '../deliveries/delivery-result.repository';

/** What an attempt found, without what it means for the delivery. */
export type Finding = Pick<Attempt, 'outcome' | 'fault' | 'status' | 'error' | 'errorClass' | 'timings'>;

export interface Moment {
  readonly attempt: number;
  readonly now: Date;
  readonly random: () => number;
}

export function findingOf(result: OutboundResult): Finding {
  const { timings } = result;
  if (result.kind !== 'answered') {
    const errorClass = result.kind === 'failed' ? result.because : (`refused_${result.because}` as const);
    const fault = errorClass === 'name_server' ? 'ours' : 'receiver';
    return { outcome: 'failed', fault, status: null, error: result.message, errorClass, timings };
  }
  const { status } = result;
  const answered = { status, timings };
  if (status >= 200 && status < 300)
    return { outcome: 'delivered', fault: null, error: null, errorClass: null, ...answered };
  const errorClass = isRedirect(status) ? 'redirect' : 'http_status';
  return { outcome: 'failed', fault: 'receiver', error: errorOf(status), errorClass, ...answered };
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

function errorOf(status: number): string {
  if (isRedirect(status)) return `The receiver answered ${status}; redirects are not followed`;
  if (status === 410) return 'The receiver answered 410: it wants no more calls';
  return `The receiver answered ${status}`;
}

/** A fault of ours, before or instead of a call. */
export const ourFault = (errorClass: ErrorClass, error: string): Finding => {
  return { outcome: 'failed', fault: 'ours', status: null, error, errorClass, timings: null };
};

export function verdictOf(finding: Finding, result: OutboundResult | undefined, moment: Moment): Verdict {
  if (finding.outcome === 'delivered') return { kind: 'delivered' };
  if (finding.status === 410) return { kind: 'given up' };
  const { attempt, now, random } = moment;
  const hints = { refused: result?.kind === 'refused', retryAfter: retryAfterOf(result, now) };
  const delay = retryDelay(attempt, hints, random);
  return delay === undefined ? { kind: 'given up' } : { kind: 'retry', at: new Date(now.getTime() + delay) };
}

const retryAfterOf = (result: OutboundResult | undefined, now: Date): number | undefined =>
  result?.kind === 'answered' && (result.status === 429 || result.status === 503)
    ? parseRetryAfter(result.retryAfter, now)
    : undefined;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** After attempt 1, 2, …: the first attempt is made at once, ten are made in all. */
const delays = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
const slowest = 24 * hour;
/** What is refused for good reason does not get better in seconds. */
const leastForRefused = 30 * minute;
const jitter = 0.2;

interface RetryHints {
  readonly refused: boolean;
  /** What the receiver asked for, in milliseconds. */
  readonly retryAfter: number | undefined;
}

/** Milliseconds from the end of `attempt` to the next, ±20 %, never before a `Retry-After` of up to a day; undefined after the last. */
export function retryDelay(attempt: number, hints: RetryHints, random: () => number): number | undefined {
  const scheduled = delays[attempt - 1];
  if (scheduled === undefined) return undefined;
  const base = hints.refused ? Math.max(scheduled, leastForRefused) : scheduled;
  const delay = Math.round(base * (1 - jitter + 2 * jitter * random()));
  return Math.max(delay, Math.min(hints.retryAfter ?? 0, slowest));
}

/** RFC 9110 §10.2.3: seconds or a date; anything else, and a moment in the past, is no hint. */
function parseRetryAfter(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  const milliseconds = /^\d{1,9}$/.test(text) ? Number(text) * second : Date.parse(text) - now.getTime();
  return milliseconds > 0 ? milliseconds : undefined;
}

/**
 * The attempt of a process that did not come back. It counts as a failure, so that a delivery that kills its worker is
 * not retried forever, and waits before its retry like any other failure.
 */
export function lostAttempt(delivery: Delivery, fence: number, now: Date): Attempt {
  return {
    number: attemptNumber(delivery),
    at: now,
    ...({ outcome: 'failed', fault: 'ours', status: null, timings: null } as const),
    error: 'The process that made the attempt was not heard of again',
    errorClass: 'lost',
    fence,
    lost: true as const,
  };
}

/** Whether it happened before, so that it is not a mere restart of ours. */
export const wasLostBefore = ({ attempts }: Delivery): boolean => attempts.some(({ lost }) => lost === true);

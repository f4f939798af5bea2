import type { OutboundResult } from '@itsm/shared/outbound/calls/outbound';
import { attemptNumber } from '../deliveries/delivery';
import type { Attempt, Delivery, ErrorClass } from '../deliveries/delivery';
import type { Verdict } from '../deliveries/delivery-result.repository';
import { parseRetryAfter } from './retry-after';

/** The facts of an attempt; the verdict says what they mean for the delivery. */
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
  const { status, isRedirect } = result;
  const answered = { status, timings };
  if (status >= 200 && status < 300)
    return { outcome: 'delivered', fault: null, error: null, errorClass: null, ...answered };
  const errorClass = isRedirect ? 'redirect' : 'http_status';
  return { outcome: 'failed', fault: 'receiver', error: errorOf(result), errorClass, ...answered };
}

function errorOf({ status, isRedirect }: Extract<OutboundResult, { kind: 'answered' }>): string {
  if (isRedirect) return `The receiver answered ${status}; redirects are not followed`;
  if (status === 410) return 'The receiver answered 410: it wants no more calls';
  return `The receiver answered ${status}`;
}

/** The finding for an internal fault that prevented the call. */
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

/** Delays after attempt 1, 2, …: ten attempts in all, the first at once. */
const delays = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
const slowest = 24 * hour;
/** The least delay after a refusal by our guard, which does not resolve within seconds. */
const leastForRefused = 30 * minute;
const jitter = 0.2;

interface RetryHints {
  readonly refused: boolean;
  /** `Retry-After` of the receiver, in milliseconds. */
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

/**
 * The attempt of a process that died. It counts as a failure with the usual back-off, so that a delivery that kills its
 * worker is not retried forever.
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

/** Whether an earlier attempt was lost too; a single loss may be a mere restart. */
export const wasLostBefore = ({ attempts }: Delivery): boolean => attempts.some(({ lost }) => lost === true);

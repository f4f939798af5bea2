import type { OutboundResult } from '@itsm/shared/outbound/calls/outbound';
import { attemptNumber } from '../deliveries/delivery';
import type { Attempt, Delivery, ErrorClass } from '../deliveries/delivery';
import type { Verdict } from '../deliveries/delivery-result.repository';
import { parseRetryAfter, retryDelay } from './schedule';

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

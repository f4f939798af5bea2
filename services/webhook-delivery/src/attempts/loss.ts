import { attemptNumber } from '../deliveries/delivery';
import type { Attempt, Delivery } from '../deliveries/delivery';

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

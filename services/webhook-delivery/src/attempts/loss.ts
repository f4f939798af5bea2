import { attemptNumber } from '../deliveries/delivery';
import type { Attempt, Delivery } from '../deliveries/delivery';

/**
 * The attempt of a process that did not come back. It counts: whatever ends the process that attempts it is not
 * attempted for ever, and after the first time it waits as long as after any other failure.
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

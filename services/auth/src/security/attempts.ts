import { stale, writeAgain } from '@itsm/shared/base/concurrency/write-again';
import { AppError } from '@itsm/shared/base/errors/app-error';
import type { Clock } from '@itsm/shared/base/time/clock';
import { withFailure } from './throttle';
import type { ThrottleKind } from './throttle';
import type { ThrottleRepository } from './throttle.repository';

/** Counts failed attempts of people and clients, over all replicas (throttling). */
export interface Attempts {
  /** Counts an attempt as failed and returns 0. If it must wait, counts nothing and returns the seconds to wait. */
  countOrWait(key: string, kind: ThrottleKind): Promise<number>;
  /** The seconds until the next attempt is allowed; undefined when no failure is counted. */
  secondsLeft(key: string): Promise<number | undefined>;
  forget(key: string): Promise<void>;
}

export function createAttempts(throttles: ThrottleRepository, now: Clock): Attempts {
  const secondsUntil = (time: Date): number => Math.max(0, Math.ceil((time.getTime() - now().getTime()) / 1000));
  return {
    countOrWait(key, kind) {
      const attempt = async () => {
        const before = await throttles.find(key);
        const seconds = before ? secondsUntil(before.openAt) : 0;
        if (seconds > 0) return seconds;
        return (await throttles.replace(before, withFailure(before, key, kind, now()), kind)) ? 0 : stale;
      };
      return writeAgain(attempt, { busy });
    },
    async secondsLeft(key) {
      const found = await throttles.find(key);
      return found && secondsUntil(found.openAt);
    },
    forget: (key) => throttles.delete(key),
  };
}

const busy = (): never => {
  throw new AppError('service_unavailable', 'Too many people sign in at once. Please try again.');
};

import { LRUCache } from 'lru-cache';
import type { Clock } from '@itsm/shared/base/time/clock';

/** A circuit breaker: opens after failures in a row; after a rest one call probes the service (half-open). */
export interface Breaker {
  /** False while the breaker is open. After true, the caller must report the outcome. */
  mayTry(): boolean;
  succeeded(): void;
  failed(): void;
}

const mostFailures = 5;
export const restMilliseconds = 5_000;
/**
 * How long failures must last before an account's breaker opens. Calls that wait for the same store time out together,
 * and the next ones may succeed: one burst must not open the breaker.
 */
export const patienceMilliseconds = 5_000;

/** Opens after `mostFailures` failures in a row, if the last is at least `patience` milliseconds after the first. */
export function createBreaker(now: Clock, patience = 0): Breaker {
  let failures = 0;
  let firstAt = 0;
  let isOpen = false;
  let probeAt = 0;
  return {
    mayTry() {
      if (!isOpen) return true;
      const at = now().getTime();
      if (at < probeAt) return false;
      // Half-open: other calls are refused until this probe has its outcome.
      probeAt = at + restMilliseconds;
      return true;
    },
    succeeded() {
      failures = 0;
      isOpen = false;
    },
    failed() {
      const at = now().getTime();
      if (failures === 0) firstAt = at;
      failures += 1;
      if (failures < mostFailures || at - firstAt < patience) return;
      isOpen = true;
      probeAt = at + restMilliseconds;
    },
  };
}

/** The circuit breakers of one service: one for all accounts, and one per account. */
export interface Breakers {
  mayTry(accountId: string): boolean;
  succeeded(accountId: string): void;
  /** Without `error` the service answered with a failure. */
  failed(accountId: string, error?: unknown): void;
}

const mostAccounts = 10_000;
const noConnection = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
]);

/**
 * A service that cannot be connected to opens the breaker for all accounts. Slow answers and failures open it per
 * account: one account's expensive calls must not cut off others.
 */
export function createBreakers(now: Clock): Breakers {
  const overall = createBreaker(now);
  const accounts = new LRUCache<string, Breaker>({ max: mostAccounts });
  return {
    mayTry: (accountId) => (accounts.get(accountId)?.mayTry() ?? true) && overall.mayTry(),
    succeeded(accountId) {
      overall.succeeded();
      accounts.delete(accountId);
    },
    failed(accountId, error) {
      if (isNoConnection(error)) overall.failed();
      else {
        const own = accounts.get(accountId) ?? createBreaker(now, patienceMilliseconds);
        accounts.set(accountId, own);
        own.failed();
      }
    },
  };
}

const isNoConnection = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && noConnection.has(String(error.code));

import { LRUCache } from 'lru-cache';
import type { Clock } from '@itsm/shared/base/time/clock';

/** Whether a service is worth asking: after failures in a row it is left alone for a while, then one call tries. */
export interface Breaker {
  /** False while the service is left alone. A caller who hears true reports what came of the attempt. */
  mayTry(): boolean;
  succeeded(): void;
  failed(): void;
}

const mostFailures = 5;
export const restMilliseconds = 5_000;
/**
 * Calls that wait for a store fail together at their deadline, and many of those made next outwait the outage: an account keeps
 * a service that has failed for it no longer than this.
 */
export const patienceMilliseconds = 5_000;

/** Opens by failures in a row when the last of them comes `patience` milliseconds after the first, or later. */
export function createBreaker(now: Clock, patience = 0): Breaker {
  let failures = 0;
  let firstAt = 0;
  let isOpen = false;
  let closedAgainAt = 0;
  return {
    mayTry() {
      if (!isOpen) return true;
      const at = now().getTime();
      if (at < closedAgainAt) return false;
      // The others wait for what comes of this attempt.
      closedAgainAt = at + restMilliseconds;
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
      closedAgainAt = at + restMilliseconds;
    },
  };
}

/** The breakers of one service. */
export interface Breakers {
  mayTry(accountId: string): boolean;
  succeeded(accountId: string): void;
  /** Without an error the service answered that it failed. */
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
  const everybody = createBreaker(now);
  const accounts = new LRUCache<string, Breaker>({ max: mostAccounts });
  return {
    mayTry: (accountId) => (accounts.get(accountId)?.mayTry() ?? true) && everybody.mayTry(),
    succeeded(accountId) {
      everybody.succeeded();
      accounts.delete(accountId);
    },
    failed(accountId, error) {
      if (isNoConnection(error)) everybody.failed();
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

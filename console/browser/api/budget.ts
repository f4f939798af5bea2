import { useSyncExternalStore } from 'react';

/** The rest of a rate limit window: requests or points. */
export interface Window {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds. */
  readonly resetAt: number;
}

export interface Budget {
  readonly requests: Window | undefined;
  readonly points: Window | undefined;
}

let budget: Budget = { requests: undefined, points: undefined };
const listeners = new Set<() => void>();

const windowOf = (headers: Headers, name: string): Window | undefined => {
  const [limit, remaining, resetAt] = ['limit', 'remaining', 'reset'].map((part) => headers.get(`${name}-${part}`));
  return limit && remaining
    ? { limit: Number(limit), remaining: Number(remaining), resetAt: Number(resetAt) }
    : undefined;
};

/** Reads the rest of the limits from the headers of any answer of the API. */
export function noteBudget(headers: Headers): void {
  budget = {
    requests: windowOf(headers, 'x-ratelimit') ?? budget.requests,
    points: windowOf(headers, 'x-costlimit') ?? budget.points,
  };
  for (const listener of listeners) listener();
}

export const useBudget = (): Budget =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => budget,
  );

/**
 * Whether screens may poll: only while they are visible, and while enough of the limits is left for the person's own
 * actions.
 */
export const mayPoll = (): boolean =>
  document.visibilityState === 'visible' && hasEnough(budget.requests) && hasEnough(budget.points);

const hasEnough = (window: Window | undefined): boolean =>
  window === undefined || window.remaining >= window.limit / 10;

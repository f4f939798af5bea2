import { useSyncExternalStore } from 'react';

/** What is left of a window: requests or points. */
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

/** Every answer of the API says what is left. */
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

/** Whether screens may go on asking by themselves: only where they are seen, and while enough is left for what the person does. */
export const mayPoll = (): boolean =>
  document.visibilityState === 'visible' && hasEnough(budget.requests) && hasEnough(budget.points);

const hasEnough = (window: Window | undefined): boolean =>
  window === undefined || window.remaining >= window.limit / 10;

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

/** The rest of both windows in the headers of an answer. */
export const budgetIn = (headers: Headers): Budget => ({
  requests: windowOf(headers, 'x-ratelimit'),
  points: windowOf(headers, 'x-costlimit'),
});

/** The requests that were sent and have no answer yet. */
let underWay = 0;
/** When the known window of requests ends, by this machine's clock. */
let resetsAt = 0;
/** A longer wait is refused by the platform instead, so that the person sees why. */
const longestWait = 4_000;

/**
 * Sends a request; while nothing is left of the window of requests, it waits for the next one, so that quick steps do not
 * meet the rate limit. Other tabs and programs use the same limit, so a 429 remains possible.
 */
export async function withinLimit<T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  while (underWay >= (budget.requests?.remaining ?? Infinity)) {
    const wait = resetsAt - Date.now();
    if (!(wait > 0 && wait <= longestWait)) break;
    await new Promise((resolve) => setTimeout(resolve, wait));
    signal?.throwIfAborted();
  }
  // Counted in the same step as it was admitted, or several at once would take the last one.
  underWay += 1;
  try {
    return await send();
  } finally {
    underWay -= 1;
  }
}

/** Reads the rest of the limits from the headers of any answer of the API. */
export function noteBudget(headers: Headers): void {
  const { requests, points } = budgetIn(headers);
  // The platform's clock may differ from this machine's.
  if (requests) resetsAt = Date.now() + 1_000 * requests.resetAt - Date.parse(headers.get('date') ?? '');
  budget = {
    requests: requests ? lowerOf(requests, budget.requests) : budget.requests,
    points: points ?? budget.points,
  };
  for (const listener of listeners) listener();
}

/** Answers may arrive in another order than they were counted in. */
const lowerOf = (window: Window, former: Window | undefined): Window =>
  former?.resetAt === window.resetAt && former.remaining < window.remaining ? former : window;

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

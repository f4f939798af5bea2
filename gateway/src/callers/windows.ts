import type { Window } from '@itsm/shared/stores/coordination/coordination';

/** Request windows (spec: Limits), of GraphQL and REST together: 20 in 2 s and 3,600 in 60 min. */
export const requestWindows = [
  { seconds: 2, limit: 20 },
  { seconds: 3_600, limit: 3_600 },
] as const;

/** Query points (spec: Limits): 5,000 in 60 min. */
export const costWindow = { seconds: 3_600, limit: 5_000 } as const;

/**
 * Hits in the request windows. `limitKey` names the person, or the application and the person; it is the hash tag of
 * all windows of a call.
 */
export const requestWindowsOf = (limitKey: string, amount: 0 | 1): Window[] =>
  requestWindows.map(({ seconds, limit }) => ({ key: `requests:${seconds}:{${limitKey}}`, limit, seconds, amount }));

export const costWindowOf = (limitKey: string, amount: number): Window => ({
  key: `cost:{${limitKey}}`,
  ...costWindow,
  amount,
});

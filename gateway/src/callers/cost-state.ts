import type { ServerResponse } from 'node:http';
import type { WindowState } from '@itsm/shared/stores/coordination/coordination';
import { toEpochSeconds } from './rate-headers';

/** The rate limit object (spec: Rate limit object); `resetAt` in epoch seconds. */
export interface CostState {
  readonly limit: number;
  readonly cost: number;
  readonly remaining: number;
  readonly resetAt: number;
}

export const toCostState = (window: WindowState, cost: number): CostState => ({
  limit: window.limit,
  cost,
  remaining: window.remaining,
  resetAt: toEpochSeconds(window.resetAt),
});

export function setCostHeaders(res: ServerResponse, state: CostState): void {
  res.setHeader('x-costlimit-limit', String(state.limit));
  res.setHeader('x-costlimit-cost', String(state.cost));
  res.setHeader('x-costlimit-remaining', String(state.remaining));
  res.setHeader('x-costlimit-reset', String(state.resetAt));
}

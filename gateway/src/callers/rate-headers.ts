import type { ServerResponse } from 'node:http';
import type { WindowState } from '@itsm/shared/stores/coordination/coordination';

export const toEpochSeconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000);

/** `x-ratelimit-*` of the window that will refuse first: the one with the fewest calls left, the longer when equal. */
export function setRateHeaders(res: ServerResponse, windows: readonly WindowState[]): void {
  let [tightest] = windows;
  for (const window of windows) if (tightest && refusesBefore(window, tightest)) tightest = window;
  if (!tightest) return;
  res.setHeader('x-ratelimit-limit', String(tightest.limit));
  res.setHeader('x-ratelimit-remaining', String(tightest.remaining));
  res.setHeader('x-ratelimit-reset', String(toEpochSeconds(tightest.resetAt)));
}

const refusesBefore = (one: WindowState, other: WindowState): boolean =>
  one.remaining < other.remaining || (one.remaining === other.remaining && one.resetAt > other.resetAt);

/** Whole seconds until every window that is full has been reset; at least one. */
export function retryAfter(windows: readonly WindowState[], at: Date): number {
  const full = windows.filter(({ remaining }) => remaining < 1).map(({ resetAt }) => resetAt - at.getTime());
  return Math.max(1, Math.ceil(Math.max(0, ...full) / 1000));
}

import type { ServerResponse, IncomingMessage } from 'node:http';
import type { WindowState } from '@itsm/shared/stores/coordination/coordination';
import { json, mediaTypeOf } from '../transport/media-type';

export const toEpochSeconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000);

/**
 * `x-ratelimit-*` of the window that will be exhausted first: the one with the fewest calls left, and of equal ones the
 * longer.
 */
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

/** Whole seconds until all full windows have been reset; at least one. */
export function retryAfter(windows: readonly WindowState[], at: Date): number {
  const full = windows.filter(({ remaining }) => remaining < 1).map(({ resetAt }) => resetAt - at.getTime());
  return Math.max(1, Math.ceil(Math.max(0, ...full) / 1000));
}

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

const message = 'Too Many Requests';

interface Refusal {
  readonly documentationUrl: string;
  readonly retryAfter: number;
}

/**
 * The 429 of GraphQL (spec: Errors, GraphQL), which also has `errors` for GraphQL clients; JSON unless the client asks
 * for the GraphQL media type.
 */
export function sendGraphqlTooManyRequests(
  req: IncomingMessage,
  res: ServerResponse,
  { documentationUrl, retryAfter }: Refusal,
): void {
  const errors = [{ message, extensions: { code: 'RATE_LIMITED' } }];
  refuse(res, retryAfter, { documentationUrl, message, retryAfter, errors }, mediaTypeOf(req));
}

export function sendTooManyRequests(res: ServerResponse, { documentationUrl, retryAfter }: Refusal): void {
  refuse(res, retryAfter, { message, documentation_url: documentationUrl, retry_after: retryAfter });
}

function refuse(res: ServerResponse, retryAfter: number, body: object, mediaType: string = json): void {
  res.setHeader('Retry-After', String(retryAfter));
  res.setHeader('Content-Type', `${mediaType}; charset=utf-8`);
  res.writeHead(429).end(JSON.stringify(body));
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** After attempt 1, 2, …: the first attempt is made at once, ten are made in all. */
const delays = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
const slowest = 24 * hour;
/** What is refused for good reason does not get better in seconds. */
const leastForRefused = 30 * minute;
const jitter = 0.2;

export interface RetryHints {
  readonly refused: boolean;
  /** What the receiver asked for, in milliseconds. */
  readonly retryAfter: number | undefined;
}

/** Milliseconds from the end of `attempt` to the next, ±20 %, never before a `Retry-After` of up to a day; undefined after the last. */
export function retryDelay(attempt: number, hints: RetryHints, random: () => number): number | undefined {
  const scheduled = delays[attempt - 1];
  if (scheduled === undefined) return undefined;
  const base = hints.refused ? Math.max(scheduled, leastForRefused) : scheduled;
  const delay = Math.round(base * (1 - jitter + 2 * jitter * random()));
  return Math.max(delay, Math.min(hints.retryAfter ?? 0, slowest));
}

/** RFC 9110 §10.2.3: seconds or a date; anything else, and a moment in the past, is no hint. */
export function parseRetryAfter(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  const milliseconds = /^\d{1,9}$/.test(text) ? Number(text) * second : Date.parse(text) - now.getTime();
  return milliseconds > 0 ? milliseconds : undefined;
}

/** How a call to a host ended. Any answer, whatever its status, shows that the host is up. */
export interface CallEnd {
  readonly answered: boolean;
  readonly milliseconds: number;
}

/** State of the circuit breaker. `open`: no calls. `probing`: half-open, one call as a probe. */
export type HostState = 'well' | 'slowed' | 'open' | 'probing';

const startingLimit = 4;
const modestLimit = 10;
const failuresToOpen = 5;
const quickMilliseconds = 1_000;
const shortestPause = 30_000;
const longestPause = 10 * 60_000;

/**
 * Adaptive concurrency limit and circuit breaker of one destination. The limit starts low, grows with quick answers,
 * and halves with every unanswered call. Five unanswered calls in a row open the circuit; after a while a single probe
 * is let through.
 */
export interface HostHealth {
  limit(now: number): number;
  state(now: number): HostState;
  note(end: CallEnd, now: number): void;
  /** Whether the state equals that of a new host, so that it can be forgotten. */
  isOrdinary(): boolean;
}

/** Times are milliseconds of a monotonic clock. `most`: the upper limit of concurrent calls. */
export function createHostHealth(most: number): HostHealth {
  let limit = startingLimit;
  let failures = 0;
  let openUntil: number | undefined;
  let pause = shortestPause;

  function answered(milliseconds: number): void {
    failures = 0;
    openUntil = undefined;
    pause = shortestPause;
    if (milliseconds < quickMilliseconds) limit = Math.min(limit + 1, most);
    else limit = Math.max(limit - 1, Math.min(limit, modestLimit));
  }

  function failed(now: number): void {
    failures += 1;
    limit = Math.max(1, Math.floor(limit / 2));
    if (failures < failuresToOpen || (openUntil !== undefined && now < openUntil)) return;
    openUntil = now + pause;
    pause = Math.min(pause * 2, longestPause);
  }

  const state = (now: number): HostState => {
    if (openUntil !== undefined) return now < openUntil ? 'open' : 'probing';
    return failures > 0 ? 'slowed' : 'well';
  };

  return {
    state,
    limit(now) {
      const present = state(now);
      if (present === 'open') return 0;
      return present === 'probing' ? 1 : limit;
    },
    note: ({ answered: wasAnswered, milliseconds }, now) => (wasAnswered ? answered(milliseconds) : failed(now)),
    isOrdinary: () => failures === 0 && openUntil === undefined,
  };
}

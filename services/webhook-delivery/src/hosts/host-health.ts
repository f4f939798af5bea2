/** How one call to a host ended: any answer shows that the host is there, whatever its status. */
export interface CallEnd {
  readonly answered: boolean;
  readonly milliseconds: number;
}

/** What a host may be asked at present. `probing`: one call, to see whether it is back. */
export type HostState = 'well' | 'slowed' | 'open' | 'probing';

const startingLimit = 4;
const modestLimit = 10;
const failuresToOpen = 5;
const quickMilliseconds = 1_000;
const shortestPause = 30_000;
const longestPause = 10 * 60_000;

/**
 * The calls that a host gets at once: it starts with few, earns more by answering quickly, and loses half with every
 * call that gets no answer. After five of those in a row it gets none for a while, then a single one as a probe.
 */
export interface HostHealth {
  limit(now: number): number;
  state(now: number): HostState;
  note(end: CallEnd, now: number): void;
  /** Nothing is known of it that a new one would not start with. */
  isOrdinary(): boolean;
}

/** Times are milliseconds of a clock that only moves forward. */
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

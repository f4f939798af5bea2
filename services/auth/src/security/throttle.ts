/** Failed attempts under one key. They fade: half of them are forgotten with every half-life. */
export interface Throttle {
  readonly key: string;
  /** As they stood at `failedAt`. */
  readonly failures: number;
  readonly failedAt: Date;
  /** When the next attempt is allowed. */
  readonly openAt: Date;
}

interface Policy {
  /** So many failures cost nothing. */
  readonly free: number;
  /** The wait after the first failure beyond the free ones; a second by default. */
  readonly firstMilliseconds?: number;
  readonly longestMilliseconds: number;
  readonly halfLifeMilliseconds: number;
}

const minute = 60_000;
const strict = { longestMilliseconds: 15 * minute, halfLifeMilliseconds: 120 * minute };

/**
 * Whole companies share an address, so that as such it is only slowed, by seconds; what protects a password is the
 * strict count of one person, or one client, at one address. Who has many addresses meets the count of the person
 * `anywhere`. It locks out no person: no wait is longer than a minute, the right password counts as soon as it is over,
 * and a browser in which the person has signed in before has counts of its own, so that no number of guesses from
 * elsewhere delays them there.
 */
const policies = {
  person: { free: 5, ...strict },
  anywhere: { free: 50, longestMilliseconds: minute, halfLifeMilliseconds: 120 * minute },
  client: { free: 10, ...strict },
  address: { free: 100, longestMilliseconds: 5_000, halfLifeMilliseconds: 10 * minute },
  // Requested mails: `mail` by address or person, `mails` by network.
  mail: {
    free: 3,
    firstMilliseconds: 15 * minute,
    longestMilliseconds: 240 * minute,
    halfLifeMilliseconds: 240 * minute,
  },
  mails: { free: 30, firstMilliseconds: minute, longestMilliseconds: 15 * minute, halfLifeMilliseconds: 60 * minute },
} as const satisfies Record<string, Policy>;
export type ThrottleKind = keyof typeof policies;

/** The wait doubles with every failure beyond the free ones, up to a longest wait: guessing is slow, but nothing is locked. */
export function delayAfter(failures: number, kind: ThrottleKind): number {
  const { free, firstMilliseconds = 1000, longestMilliseconds }: Policy = policies[kind];
  const beyond = Math.round(failures) - free;
  return beyond < 0 ? 0 : Math.min(firstMilliseconds * 2 ** Math.min(beyond, 20), longestMilliseconds);
}

/** The throttle after one more failure. */
export function withFailure(before: Throttle | undefined, key: string, kind: ThrottleKind, now: Date): Throttle {
  const failures = (before ? remaining(before, kind, now) : 0) + 1;
  return { key, failures, failedAt: now, openAt: new Date(now.getTime() + delayAfter(failures, kind)) };
}

function remaining({ failures, failedAt }: Throttle, kind: ThrottleKind, now: Date): number {
  const age = Math.max(0, now.getTime() - failedAt.getTime());
  return failures * 2 ** -(age / policies[kind].halfLifeMilliseconds);
}

/** Failed attempts under one key, with exponential decay by a half-life. */
export interface Throttle {
  readonly key: string;
  /** The decayed count at `failedAt`. */
  readonly failures: number;
  readonly failedAt: Date;
  /** When the next attempt is allowed. */
  readonly openAt: Date;
  /** When less than half a failure is left, so that forgetting the throttle makes no difference. */
  readonly expiresAt: Date;
}

interface Policy {
  /** Failures without a wait. */
  readonly free: number;
  /** The wait after the first failure beyond the free ones; a second by default. */
  readonly firstMilliseconds?: number;
  readonly longestMilliseconds: number;
  readonly halfLifeMilliseconds: number;
  /** Anybody can cause any number of keys, by networks or made-up names, so the number of throttles is bounded. */
  readonly bounded?: boolean;
}

const minute = 60_000;
const strict = { longestMilliseconds: 15 * minute, halfLifeMilliseconds: 120 * minute };
const slow = { free: 50, longestMilliseconds: minute, halfLifeMilliseconds: 120 * minute };

/**
 * Throttling policies. An address may be shared by a whole company, so it is only slowed by seconds. A password is
 * protected by the strict count of one person, or client, at one address (`here`). Against guessing from many addresses
 * there is the count of the person `anywhere`. It locks nobody out: no wait is longer than a minute, and the right
 * password is accepted after it. A known browser has its own counts, so that guesses from elsewhere never delay the
 * person there. `nobody` is the count anywhere of an address that no person has.
 */
const policies = {
  person: { free: 5, ...strict },
  here: { free: 5, ...strict, bounded: true },
  anywhere: slow,
  nobody: { ...slow, bounded: true },
  client: { free: 10, ...strict, bounded: true },
  address: { free: 100, longestMilliseconds: 5_000, halfLifeMilliseconds: 10 * minute, bounded: true },
  // For requested mails: `mail` is per address or person, `mails` per network.
  mail: {
    free: 3,
    firstMilliseconds: 15 * minute,
    longestMilliseconds: 240 * minute,
    halfLifeMilliseconds: 240 * minute,
  },
  mails: {
    free: 30,
    firstMilliseconds: minute,
    longestMilliseconds: 15 * minute,
    halfLifeMilliseconds: 60 * minute,
    bounded: true,
  },
} as const satisfies Record<string, Policy>;
export type ThrottleKind = keyof typeof policies;

export const throttleKinds = Object.keys(policies) as ThrottleKind[];

/** Whether the number of throttles of the kind is bounded. That of the others is, by the number of people and of their browsers. */
export const isBounded = (kind: ThrottleKind): boolean => (policies[kind] as Policy).bounded ?? false;

/** Exponential back-off: the wait doubles with every failure beyond the free ones, up to a maximum. Nothing is locked for good. */
export function delayAfter(failures: number, kind: ThrottleKind): number {
  const { free, firstMilliseconds = 1000, longestMilliseconds }: Policy = policies[kind];
  const beyond = Math.round(failures) - free;
  return beyond < 0 ? 0 : Math.min(firstMilliseconds * 2 ** Math.min(beyond, 20), longestMilliseconds);
}

/** The throttle after one more failure; earlier failures decay first. */
export function withFailure(before: Throttle | undefined, key: string, kind: ThrottleKind, now: Date): Throttle {
  const failures = (before ? remaining(before, kind, now) : 0) + 1;
  const later = (milliseconds: number): Date => new Date(now.getTime() + milliseconds);
  const expiresAt = later(Math.ceil(policies[kind].halfLifeMilliseconds * Math.log2(2 * failures)));
  return { key, failures, failedAt: now, openAt: later(delayAfter(failures, kind)), expiresAt };
}

function remaining({ failures, failedAt }: Throttle, kind: ThrottleKind, now: Date): number {
  const age = Math.max(0, now.getTime() - failedAt.getTime());
  return failures * 2 ** -(age / policies[kind].halfLifeMilliseconds);
}

import type { Policy, PolicyKey } from './policy';

const minute = 60_000;
const day = 24 * 60 * minute;
/** Receivers keep the JWKS for an hour (spec: Automatic key discovery); the minute is for requests under way and clocks that differ. */
const cacheMilliseconds = 61 * minute;

export const later = (date: Date, milliseconds: number): Date => new Date(date.getTime() + milliseconds);

/** When a key that is made now may sign: the first at once, the others when every receiver has seen them. */
export const signsFrom = (keys: readonly PolicyKey[], now: Date): Date =>
  keys.length === 0 ? now : later(now, cacheMilliseconds);

/** Until when a key is published: an hour longer than it signs; undefined while nothing follows it. */
export function publishedUntil(keys: readonly PolicyKey[], key: PolicyKey): Date | undefined {
  const successor = keys[keys.indexOf(key) + 1];
  return successor && later(successor.signsFrom, cacheMilliseconds);
}

/** The keys that a JWT may be verified with now, or soon. */
export const publishedKeys = (keys: readonly PolicyKey[], now: Date): PolicyKey[] =>
  keys.filter((key) => (publishedUntil(keys, key) ?? later(now, 1)) > now);

/** A key that is published and does not sign yet. */
export const waitingKey = (keys: readonly PolicyKey[], now: Date): PolicyKey | undefined =>
  keys.find((key) => key.signsFrom > now);

function rotatesAt({ keys, rotationDays }: Pick<Policy, 'keys' | 'rotationDays'>): Date | undefined {
  const newest = keys.at(-1);
  return newest && rotationDays !== null ? later(newest.signsFrom, rotationDays * day) : undefined;
}

export function isRotationDue(policy: Pick<Policy, 'keys' | 'rotationDays'>, now: Date): boolean {
  const at = rotatesAt(policy);
  return at !== undefined && at <= now;
}

/** When the keys need care next: a new one is due, or an old one is to go; null while they need none. */
export function careAt(policy: Pick<Policy, 'keys' | 'rotationDays' | 'disabled'>): Date | null {
  const { keys, disabled } = policy;
  const moments = [publishedUntil(keys, keys[0]!), disabled ? undefined : rotatesAt(policy)].filter(
    (at) => at !== undefined,
  );
  return moments.reduce<Date | null>((first, at) => (first === null || at < first ? at : first), null);
}

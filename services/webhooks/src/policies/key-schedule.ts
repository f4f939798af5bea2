import type { Policy, PolicyKey } from './policy';

const minute = 60_000;
const day = 24 * 60 * minute;
/** Receivers cache the JWKS for an hour (spec: Automatic key discovery). One more minute covers requests in flight and clock skew. */
const cacheMilliseconds = 61 * minute;

export const later = (date: Date, milliseconds: number): Date => new Date(date.getTime() + milliseconds);

/** When a key made now may sign: the first key at once, later ones when every receiver's cached JWKS has expired. */
export const signsFrom = (keys: readonly PolicyKey[], now: Date): Date =>
  keys.length === 0 ? now : later(now, cacheMilliseconds);

/** The end of a key's publication: an hour after it stops signing. Undefined while it has no successor. */
export function publishedUntil(keys: readonly PolicyKey[], key: PolicyKey): Date | undefined {
  const successor = keys[keys.indexOf(key) + 1];
  return successor && later(successor.signsFrom, cacheMilliseconds);
}

/** The keys in the JWKS: those that sign now, will sign soon, or signed until recently. */
export const publishedKeys = (keys: readonly PolicyKey[], now: Date): PolicyKey[] =>
  keys.filter((key) => (publishedUntil(keys, key) ?? later(now, 1)) > now);

/** The key that signs now. */
export const signingKey = (keys: readonly PolicyKey[], now: Date): PolicyKey | undefined =>
  keys.findLast((key) => key.signsFrom <= now);

/** A key that is published and does not sign yet. */
export const waitingKey = (keys: readonly PolicyKey[], now: Date): PolicyKey | undefined =>
  keys.find((key) => key.signsFrom > now);

function rotatesAt({ keys, keyRotationDays }: Pick<Policy, 'keys' | 'keyRotationDays'>): Date | undefined {
  const newest = keys.at(-1);
  return newest && keyRotationDays !== null ? later(newest.signsFrom, keyRotationDays * day) : undefined;
}

export function isRotationDue(policy: Pick<Policy, 'keys' | 'keyRotationDays'>, now: Date): boolean {
  const at = rotatesAt(policy);
  return at !== undefined && at <= now;
}

/** When the next key is due or an old one expires, whichever is first; null when neither is scheduled. */
export function careAt(policy: Pick<Policy, 'keys' | 'keyRotationDays' | 'disabled'>): Date | null {
  const { keys, disabled } = policy;
  const moments = [publishedUntil(keys, keys[0]!), disabled ? undefined : rotatesAt(policy)].filter(
    (at) => at !== undefined,
  );
  return moments.reduce<Date | null>((first, at) => (first === null || at < first ? at : first), null);
}

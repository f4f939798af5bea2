import type { Policy, PolicyKey } from './documents';

export const isShared = ({ jwtAlg }: Pick<Policy, 'jwtAlg'>): boolean => String(jwtAlg).startsWith('hs');

export type KeyState = 'waiting' | 'signing' | 'retiring' | 'gone';

/** The state of a key at a point in time; `keys` are all keys of its policy, oldest first. */
export function keyState(keys: readonly PolicyKey[], key: PolicyKey, now: Date): KeyState {
  const at = now.getTime();
  if (key.publishedUntil !== null && new Date(key.publishedUntil).getTime() <= at) return 'gone';
  if (new Date(key.signsFrom).getTime() > at) return 'waiting';
  const successor = keys[keys.indexOf(key) + 1];
  return successor && new Date(successor.signsFrom).getTime() <= at ? 'retiring' : 'signing';
}

/** The key that is published but does not sign yet. */
export const waitingKey = (keys: readonly PolicyKey[], now: Date): PolicyKey | undefined =>
  keys.find((key) => keyState(keys, key, now) === 'waiting');

/** When the next key is created automatically. */
export function rotatesAt({ keys, keyRotationDays }: Pick<Policy, 'keys' | 'keyRotationDays'>): Date | undefined {
  const newest = keys.at(-1);
  return newest && keyRotationDays !== null
    ? new Date(new Date(newest.signsFrom).getTime() + keyRotationDays * 86_400_000)
    : undefined;
}

/** Enough of a key id to distinguish keys. */
export const shortKid = (kid: string): string => (kid.length > 12 ? `${kid.slice(0, 8)}…` : kid);

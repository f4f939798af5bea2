import type { SigningKey } from './signing-key';

/** `signsFrom` is when it takes over from the key before it. */
export interface ScheduledKey extends SigningKey {
  readonly createdAt: Date;
  readonly signsFrom: Date;
}

/** How long a key signs. */
export const rotateAfterMilliseconds = 30 * 86_400_000;
/** How long a key is published before it signs: well beyond what a verifier waits before it asks for keys again. */
export const publishMilliseconds = 15 * 60_000;
/** How long a key is kept after it signed last: its last JWT ends within a minute, clocks may differ by some more. */
export const keepMilliseconds = 10 * 60_000;

/** The one that signs now; `keys` are in order of age, the oldest first. */
export const currentKey = <Key extends ScheduledKey>(keys: readonly Key[], now: Date): Key | undefined =>
  keys.findLast(({ signsFrom }) => signsFrom <= now) ?? keys[0];

export function isRotationDue(keys: readonly ScheduledKey[], now: Date): boolean {
  const newest = keys.at(-1);
  return !newest || newest.signsFrom.getTime() + rotateAfterMilliseconds <= now.getTime();
}

/** Those that no JWT of today was signed with. */
export function retiredKeys<Key extends ScheduledKey>(keys: readonly Key[], now: Date): Key[] {
  const current = currentKey(keys, now);
  if (!current || current.signsFrom.getTime() + keepMilliseconds > now.getTime()) return [];
  return keys.slice(0, keys.indexOf(current));
}

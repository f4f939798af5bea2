import { createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Clock } from '../../base/time/clock';
import { JwksClient } from 'jwks-rsa';

/** Public keys by `kid`. */
export type Keys = ReadonlyMap<string, KeyObject>;

/** Older keys are used, but read again behind the request's back. */
const staleMilliseconds = 5 * 60_000;
/** How often an unknown `kid` makes us read the keys again. */
const unknownMilliseconds = 10_000;

/**
 * Finds keys by `kid` in a set that is kept up to date: a key is known before it signs if it is published five minutes
 * earlier, and one that was taken off the set does not verify any more. While the set cannot be read the last one counts.
 */
export function createKeySet(load: () => Promise<Keys>, now: Clock): (kid: string) => Promise<KeyObject | undefined> {
  let keys: Keys = new Map();
  let loadedAt = -Infinity;
  let loading: Promise<void> | undefined;

  async function read(): Promise<void> {
    keys = await load();
    loadedAt = now().getTime();
  }

  /** Many who need it at once make one read. */
  function reload(): Promise<void> {
    loading ??= read().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  return async (kid) => {
    const age = now().getTime() - loadedAt;
    const known = keys.get(kid);
    if (known) {
      if (age > staleMilliseconds) reload().catch(() => undefined);
      return known;
    }
    if (age > unknownMilliseconds) await reload();
    return keys.get(kid);
  };
}

/** Reads the keys of a JWKS of our own. */
export function createJwksReader(jwksUri: string): () => Promise<Keys> {
  const client = new JwksClient({ jwksUri, cache: false, rateLimit: false, timeout: 5_000 });
  return async () => {
    const found = await client.getSigningKeys();
    return new Map(found.map((key) => [key.kid, createPublicKey(key.getPublicKey())]));
  };
}

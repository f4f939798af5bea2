import { createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Clock } from '../../base/time/clock';
import { JwksClient } from 'jwks-rsa';

/** Public keys by `kid`. */
export type Keys = ReadonlyMap<string, KeyObject>;

/** Older keys are still used, but reloaded in the background (stale-while-revalidate). */
const staleMilliseconds = 5 * 60_000;
/** Rate limit of reloads that unknown `kid`s trigger. */
const unknownMilliseconds = 10_000;

/**
 * Finds keys by `kid` in a cached set that is refreshed in the background. A key that is published five minutes before
 * its first use is already known; a removed key stops verifying. When loading fails, the last set stays in use.
 */
export function createKeySet(load: () => Promise<Keys>, now: Clock): (kid: string) => Promise<KeyObject | undefined> {
  let keys: Keys = new Map();
  let loadedAt = -Infinity;
  let loading: Promise<void> | undefined;

  async function read(): Promise<void> {
    keys = await load();
    loadedAt = now().getTime();
  }

  /** Single flight: concurrent callers share one load. */
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

/** Loads the keys of auth's JWKS. */
export function createJwksReader(jwksUri: string): () => Promise<Keys> {
  const client = new JwksClient({ jwksUri, cache: false, rateLimit: false, timeout: 5_000 });
  return async () => {
    const found = await client.getSigningKeys();
    return new Map(found.map((key) => [key.kid, createPublicKey(key.getPublicKey())]));
  };
}

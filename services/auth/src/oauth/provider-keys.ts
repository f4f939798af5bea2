import type { Clock } from '@itsm/shared/base/time/clock';
import { invalidGrant } from './oauth-error';
import type { ProviderDocuments } from './provider-documents';
import { selectKey } from './provider-key';
import type { ProviderKey } from './provider-key';
import { createSharedCache } from './shared-cache';

/** Cached state of one provider. Times are milliseconds since the epoch. */
interface Known {
  readonly keys: readonly ProviderKey[];
  readonly jwksUri: string;
  readonly discoveredAt: number;
  readonly fetchedAt: number;
  readonly staleAt: number;
}

interface Entry {
  known: Known | undefined;
  loading: Promise<Known> | undefined;
  failure: { readonly error: unknown; readonly at: number } | undefined;
  refetchedAt: number;
}

const hour = 3_600_000;
const minute = 60_000;
/** How long keys are used after the last successful fetch while the provider is down. */
const lastGoodMilliseconds = 24 * hour;
const failureMilliseconds = 10_000;
const maxEntries = 1_000;

/** Who publishes something, and the account that has configured it. */
export interface Publisher {
  readonly accountId: string;
  readonly issuer: string;
}

/** Finds an issuer's key by `kid` and `algorithm`; `invalid_grant` when there is none. */
export type FindProviderKey = (
  publisher: Publisher,
  kid: string | undefined,
  algorithm: string,
) => Promise<ProviderKey>;

/**
 * Caches the keys of each issuer for an hour, or for the provider's shorter `max-age`, but at least a minute.
 * Concurrent callers share one fetch. An unknown key causes another fetch at most once a minute. While the provider is
 * down the last keys are used; keys missing from a successful fetch are not. An account displaces no entries of others.
 */
export function createProviderKeys(
  documents: Pick<ProviderDocuments, 'discover' | 'fetchKeys'>,
  now: Clock,
): FindProviderKey {
  const entries = createSharedCache<Entry>(maxEntries);

  function entryOf({ accountId, issuer }: Publisher): Entry {
    const existing = entries.get(accountId, issuer);
    if (existing) return existing;
    const entry: Entry = { known: undefined, loading: undefined, failure: undefined, refetchedAt: 0 };
    entries.set(accountId, issuer, entry);
    return entry;
  }

  async function fetchAll(issuer: string, known: Known | undefined): Promise<Known> {
    const at = now().getTime();
    const isDiscovered = known !== undefined && at - known.discoveredAt < hour;
    const jwksUri = isDiscovered ? known.jwksUri : await documents.discover(issuer);
    const { keys, maxAge } = await documents.fetchKeys(jwksUri);
    const staleAt = at + Math.min(Math.max((maxAge ?? hour) * 1000, minute), hour);
    return { keys, jwksUri, discoveredAt: isDiscovered ? known.discoveredAt : at, fetchedAt: at, staleAt };
  }

  /** Fetches the keys. Rejects on failure; the cache then keeps its content. */
  function load(issuer: string, entry: Entry): Promise<Known> {
    entry.loading ??= fetchAll(issuer, entry.known)
      .then(
        (known) => {
          entry.failure = undefined;
          return (entry.known = known);
        },
        (error: unknown) => {
          entry.failure = { error, at: now().getTime() };
          // The `jwks_uri` may have changed: the next fetch starts with discovery.
          if (entry.known) entry.known = { ...entry.known, discoveredAt: 0 };
          throw error;
        },
      )
      .finally(() => (entry.loading = undefined));
    return entry.loading;
  }

  async function current(issuer: string, entry: Entry): Promise<Known> {
    const at = now().getTime();
    const { known, failure } = entry;
    if (known && at < known.staleAt) return known;
    const usable = known && at - known.fetchedAt < lastGoodMilliseconds ? known : undefined;
    const failedLately = failure && at - failure.at < (usable ? minute : failureMilliseconds);
    if (failedLately && usable) return usable;
    if (failedLately) throw failure.error;
    const loading = load(issuer, entry);
    return usable ? loading.catch(() => usable) : loading;
  }

  async function refetched(issuer: string, entry: Entry): Promise<Known | undefined> {
    const at = now().getTime();
    if (!entry.loading && at - entry.refetchedAt < minute) return undefined;
    if (!entry.loading) entry.refetchedAt = at;
    return load(issuer, entry).catch(() => undefined);
  }

  return async (publisher, kid, algorithm) => {
    const { issuer } = publisher;
    const entry = entryOf(publisher);
    const before = entry.known;
    const known = await current(issuer, entry);
    const key = selectKey(known.keys, kid, algorithm);
    if (key) return key;
    // Keys fetched for this call are not fetched again.
    const isFresh = known !== before;
    const fresh = isFresh ? undefined : await refetched(issuer, entry);
    const found = fresh && selectKey(fresh.keys, kid, algorithm);
    if (!found) throw invalidGrant('The key of the subject token is not among those of the identity provider');
    return found;
  };
}

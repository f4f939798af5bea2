import type { Clock } from '@itsm/shared/base/time/clock';
import type { ProviderDocuments, ProviderEndpoints } from './provider-documents';
import type { Publisher } from './provider-keys';
import { createSharedCache } from './shared-cache';

interface Known {
  readonly found: Promise<ProviderEndpoints>;
  /** Milliseconds since the epoch. */
  until: number;
}

/** The endpoints of an issuer; `invalid_grant` while the provider does not publish them. */
export type FindProviderEndpoints = (provider: Publisher) => Promise<ProviderEndpoints>;

const foundMilliseconds = 3_600_000;
const failureMilliseconds = 10_000;
const most = 1_000;

/** Caches endpoints for an hour, and a failure for ten seconds, because anybody can start a sign-in and must not flood a provider. An account displaces no entries of others. */
export function createFindProviderEndpoints(
  documents: Pick<ProviderDocuments, 'endpoints'>,
  now: Clock,
): FindProviderEndpoints {
  const all = createSharedCache<Known>(most);
  return ({ accountId, issuer }) => {
    const at = now().getTime();
    const before = all.get(accountId, issuer);
    if (before && at < before.until) return before.found;
    const known: Known = { found: documents.endpoints(issuer), until: at + foundMilliseconds };
    known.found.catch(() => (known.until = now().getTime() + failureMilliseconds));
    all.set(accountId, issuer, known);
    return known.found;
  };
}

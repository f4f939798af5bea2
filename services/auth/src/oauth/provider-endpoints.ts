import type { Clock } from '@itsm/shared/base/time/clock';
import type { ProviderDocuments, ProviderEndpoints } from './provider-documents';

interface Known {
  readonly found: Promise<ProviderEndpoints>;
  /** Milliseconds since the epoch. */
  until: number;
}

/** The endpoints of an issuer; `invalid_grant` while the provider does not publish them. */
export type FindProviderEndpoints = (issuer: string) => Promise<ProviderEndpoints>;

const foundMilliseconds = 3_600_000;
const failureMilliseconds = 10_000;
const most = 1_000;

/** Caches endpoints for an hour, and a failure for ten seconds, because anybody can start a sign-in and must not flood a provider. */
export function createFindProviderEndpoints(
  documents: Pick<ProviderDocuments, 'endpoints'>,
  now: Clock,
): FindProviderEndpoints {
  const all = new Map<string, Known>();
  return (issuer) => {
    const at = now().getTime();
    const before = all.get(issuer);
    if (before && at < before.until) return before.found;
    const known: Known = { found: documents.endpoints(issuer), until: at + foundMilliseconds };
    known.found.catch(() => (known.until = now().getTime() + failureMilliseconds));
    const [oldest] = all.keys();
    if (all.size >= most && oldest !== undefined) all.delete(oldest);
    all.set(issuer, known);
    return known.found;
  };
}

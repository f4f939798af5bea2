import type { Outbound } from '@itsm/shared/outbound/calls/outbound';
import { invalidGrant } from './oauth-error';
import { toProviderKeys } from './provider-key';
import type { ProviderKey } from './provider-key';

/** `maxAge` is what the provider allows the keys to be kept, in seconds. */
export interface FetchedKeys {
  readonly keys: readonly ProviderKey[];
  readonly maxAge: number | undefined;
}

/** What a provider publishes; every fault of it is an `invalid_grant`. */
export interface ProviderDocuments {
  /** Where the provider publishes its keys (OpenID Connect Discovery 1.0 §4). */
  discover(issuer: string): Promise<string>;
  fetchKeys(jwksUri: string): Promise<FetchedKeys>;
}

export function createProviderDocuments(outbound: Pick<Outbound, 'fetchJson'>): ProviderDocuments {
  async function fetchDocument(url: string, name: string) {
    const result = await outbound.fetchJson(url);
    if (result.kind === 'fetched') return result;
    throw invalidGrant(`The ${name} of the identity provider could not be fetched: ${result.message}`);
  }

  return {
    async discover(issuer) {
      const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
      const { document } = await fetchDocument(url, 'discovery document');
      if (document['issuer'] !== issuer) {
        throw invalidGrant('The discovery document of the identity provider names another issuer');
      }
      const jwksUri = document['jwks_uri'];
      if (typeof jwksUri !== 'string') {
        throw invalidGrant('The discovery document of the identity provider names no jwks_uri');
      }
      return jwksUri;
    },
    async fetchKeys(jwksUri) {
      const { document, maxAge } = await fetchDocument(jwksUri, 'key set');
      const keys = toProviderKeys(document);
      if (!keys) throw invalidGrant('The key set of the identity provider is malformed');
      return { keys, maxAge };
    },
  };
}

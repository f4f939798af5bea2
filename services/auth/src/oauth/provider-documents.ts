import type { Outbound } from '@itsm/shared/outbound/calls/outbound';
import { invalidGrant } from './oauth-error';
import { toProviderKeys } from './provider-key';
import type { ProviderKey } from './provider-key';

/** `maxAge`: how long the provider allows caching, in seconds. */
export interface FetchedKeys {
  readonly keys: readonly ProviderKey[];
  readonly maxAge: number | undefined;
}

/** Fetches the documents that a provider publishes; every failure is an `invalid_grant`. */
export interface ProviderDocuments {
  /** The provider's `jwks_uri` (OpenID Connect Discovery 1.0 §4). */
  discover(issuer: string): Promise<string>;
  fetchKeys(jwksUri: string): Promise<FetchedKeys>;
  /** The authorization and token endpoints of the provider. */
  endpoints(issuer: string): Promise<ProviderEndpoints>;
}

export interface ProviderEndpoints {
  readonly authorization: string;
  readonly token: string;
  /** Whether the secret goes in the form instead of HTTP Basic, the default (OpenID Connect Discovery 1.0 §3). */
  readonly secretInForm: boolean;
  /** Whether the provider promises to name itself in each answer (RFC 9207 §3). */
  readonly namesItself: boolean;
}

/** `allowInsecure` permits http, for local work. */
export function createProviderDocuments(
  outbound: Pick<Outbound, 'fetchJson'>,
  allowInsecure: boolean,
): ProviderDocuments {
  /** A browser is redirected to one of these addresses, and the other gets the client's secret. */
  const isAddress = (value: unknown): value is string => {
    if (typeof value !== 'string' || !URL.canParse(value)) return false;
    const { protocol } = new URL(value);
    return protocol === 'https:' || (allowInsecure && protocol === 'http:');
  };

  async function fetchDocument(url: string, name: string) {
    const result = await outbound.fetchJson(url);
    if (result.kind === 'fetched') return result;
    throw invalidGrant(`The ${name} of the identity provider could not be fetched: ${result.message}`);
  }

  async function metadataOf(issuer: string) {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const { document } = await fetchDocument(url, 'discovery document');
    if (document['issuer'] !== issuer) {
      throw invalidGrant('The discovery document of the identity provider names another issuer');
    }
    return document;
  }

  return {
    async discover(issuer) {
      const document = await metadataOf(issuer);
      const jwksUri = document['jwks_uri'];
      if (typeof jwksUri !== 'string') {
        throw invalidGrant('The discovery document of the identity provider names no jwks_uri');
      }
      return jwksUri;
    },
    async endpoints(issuer) {
      const document = await metadataOf(issuer);
      const { authorization_endpoint: authorization, token_endpoint: token } = document;
      const methods = document['token_endpoint_auth_methods_supported'];
      if (!isAddress(authorization) || !isAddress(token)) {
        throw invalidGrant('The discovery document of the identity provider names no https endpoints to sign in');
      }
      return {
        authorization,
        token,
        secretInForm: Array.isArray(methods) && !methods.includes('client_secret_basic'),
        namesItself: document['authorization_response_iss_parameter_supported'] === true,
      };
    },
    async fetchKeys(jwksUri) {
      const { document, maxAge } = await fetchDocument(jwksUri, 'key set');
      const keys = toProviderKeys(document);
      if (!keys) throw invalidGrant('The key set of the identity provider is malformed');
      return { keys, maxAge };
    },
  };
}

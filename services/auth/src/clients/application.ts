import { randomBytes } from 'node:crypto';
import type { Scope } from '@itsm/shared/contracts/scopes';
import { createOpaqueToken, digestOf } from '@itsm/shared/base/ids/opaque-token';

/** RFC 8693 §2.1 */
export const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** The grants that an application can be allowed to use. */
export const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials', tokenExchange] as const;
export type GrantType = (typeof grantTypes)[number];

/** A client id with the digest of its secret. An application may have several, so that secrets are rotated without an outage. */
export interface ApplicationToken {
  /** Null when created without a name. */
  readonly name: string | null;
  readonly clientId: string;
  readonly secretDigest: string;
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
  /** When it was last re-enabled; grants before that are void. */
  readonly enabledAt: Date | null;
  /** The client's last authentication, to the minute. */
  readonly lastUsedAt: Date | null;
}

export interface Application {
  readonly id: number;
  readonly accountId: string;
  readonly name: string;
  readonly description: string;
  readonly homepage: string | null;
  readonly redirectUris: readonly string[];
  readonly grantTypes: readonly GrantType[];
  readonly scopes: readonly Scope[];
  /** Incremented when the scopes change; grants for another version are void. */
  readonly scopesVersion: number;
  /**
   * The SSO configuration whose identity tokens may be exchanged (token exchange grant); of the same account or its
   * directory account.
   */
  readonly ssoConfigurationId: number | null;
  /** The audience that `aud` of these identity tokens must contain. */
  readonly audience: string | null;
  readonly tokens: readonly ApplicationToken[];
  /** The person of the client credentials grant, of the application's account or its directory account. */
  readonly actsAsPersonId: number | null;
  /** Whether an authorization request needs a code challenge (PKCE, RFC 7636). */
  readonly pkceRequired: boolean;
  /** The public keys with which its clients authenticate (RFC 7523): a JWK set as JSON. */
  readonly jwks: string | null;
  /** The URL of the JWK set, when the set itself is not stored. */
  readonly jwksUri: string | null;
  /** Whether its clients must authenticate with a signed assertion; secrets are then refused. */
  readonly privateKeyJwtRequired: boolean;
  readonly disabledAt: Date | null;
  /** See `ApplicationToken`. */
  readonly enabledAt: Date | null;
}

/** An application with the client token that a request names. */
export interface Client {
  readonly application: Application;
  readonly token: ApplicationToken;
}

/** The client token of `clientId`; undefined when it or the application is disabled. */
export function enabledToken(application: Application, clientId: string): ApplicationToken | undefined {
  if (application.disabledAt) return undefined;
  return application.tokens.find((token) => token.clientId === clientId && token.disabledAt === null);
}

/** A new client id and secret. The plain secret is returned only here. */
export function newClientToken(now: Date, name: string | null): { clientSecret: string; token: ApplicationToken } {
  const clientSecret = createOpaqueToken('cs');
  const clientId = randomBytes(16).toString('hex');
  const secretDigest = digestOf(clientSecret);
  const standing = { createdAt: now, disabledAt: null, enabledAt: null, lastUsedAt: null };
  return { clientSecret, token: { name, clientId, secretDigest, ...standing } };
}

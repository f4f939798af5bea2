import type { Scope } from '@itsm/shared/contracts/scopes';
import type { FamilyReference, GrantReference } from './token-family';

export const codeMilliseconds = 10 * 60_000;
export const accessTokenMilliseconds = 3_600_000;
export const refreshTokenMilliseconds = 14 * 86_400_000;
/** A family expires a day after its tokens, so that not every rotation must extend it. */
export const familyMilliseconds = refreshTokenMilliseconds + 86_400_000;

/** The issued tokens in plain text, only for the answer to the client. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Thumbprint of the key that the access token is bound to (RFC 9449 §6); absent when it is bound to none. */
  readonly jkt?: string;
  /** The lifetime of the access token: an hour, or less when it ends with the session. */
  readonly lifeMilliseconds?: number;
  /** RFC 8693 §2.2.1 */
  readonly issuedTokenType?: string;
  /** The scopes of the token; absent when it has all of its application. */
  readonly scopes?: readonly Scope[];
  /** Whether the answer must include the scope (RFC 6749 §5.1), because the authorization request had one. */
  readonly scopeAsked?: boolean;
}

export interface TokenPair extends IssuedTokens {
  readonly refreshToken: string;
}

export interface AccessToken {
  readonly digest: string;
  readonly grant: GrantReference;
  /** As in `IssuedTokens`. */
  readonly jkt?: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

export interface RefreshToken {
  readonly digest: string;
  readonly grant: FamilyReference;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Digest of the refresh token that it replaces; null for the first. */
  readonly predecessor: string | null;
  readonly rotation: Rotation | null;
}

/** `successor`: the new pair, sealed with a key derived from the old token; null once wiped. */
export interface Rotation {
  readonly at: Date;
  readonly successor: string | null;
}

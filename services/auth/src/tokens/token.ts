import type { Scope } from '@itsm/shared/contracts/scopes';
import type { FamilyReference, GrantReference } from './token-family';

export const codeMilliseconds = 10 * 60_000;
export const accessTokenMilliseconds = 3_600_000;
export const refreshTokenMilliseconds = 14 * 86_400_000;
/** For so long after its end a refresh token or a code is kept, so that a request with it learns that it has expired. */
export const keptMilliseconds = 14 * 86_400_000;
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
}

/** The tokens of an answer, with what they allow and how long they live. */
export interface GrantedTokens extends IssuedTokens {
  readonly scopes: readonly Scope[];
  /** Absent without a refresh token. */
  readonly refreshMilliseconds?: number;
}

export interface TokenPair extends IssuedTokens {
  readonly refreshToken: string;
  /** The actions of the access token, when its request named fewer than the grant has. */
  readonly actions?: readonly string[];
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
  readonly endsAt: Date;
  /** When the document is deleted. */
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

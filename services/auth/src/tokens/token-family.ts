/**
 * References to the documents that a token depends on. Immutable. `familyId` is null for grants of the application
 * alone (token exchange, client credentials), `authorizationId` for those and for the installation's application.
 */
export interface GrantReference {
  readonly familyId: string | null;
  readonly authorizationId: string | null;
  /** The person's account. */
  readonly accountId: string;
  readonly personId: number;
  /** `noAccount` for the application of the installation. */
  readonly applicationAccountId: string;
  readonly applicationId: number;
  readonly clientId: string;
  /** The version of the application's scopes that was granted. */
  readonly scopesVersion: number;
  /** The session with which it ends; absent when it is independent of a session. */
  readonly sessionId?: string;
  /** When the person authenticated (`auth_time`); absent without a person. */
  readonly authenticatedAt?: Date;
  /** The granted actions; absent for all of the application's. */
  readonly actions?: readonly string[];
}

/** The grant of an authorization code. */
export interface FamilyReference extends GrantReference {
  readonly familyId: string;
}

/** Where a family starts (RFC 6749 §4.1.2); `challenge` is the S256 code challenge (RFC 7636). */
export interface AuthorizationCode {
  readonly digest: string;
  readonly redirectUri: string;
  readonly challenge: string | null;
  /** Thumbprint of the key whose DPoP proof must come with the code (RFC 9449 §10); absent when the request named none. */
  readonly jkt?: string;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

/** All tokens that descend from one authorization code; they are revoked together. */
export interface TokenFamily {
  readonly grant: FamilyReference;
  readonly code: AuthorizationCode;
  readonly createdAt: Date;
  /** When its last token expires. */
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

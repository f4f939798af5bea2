/**
 * What ties a token to the documents its life depends on. None of it ever changes. Without a family and an
 * authorization it came of the application alone (token exchange, client credentials).
 */
export interface GrantReference {
  readonly familyId: string | null;
  readonly authorizationId: string | null;
  /** The person's account. */
  readonly accountId: string;
  readonly personId: number;
  readonly applicationAccountId: string;
  readonly applicationId: number;
  readonly clientId: string;
  /** The version of the application's scopes that was granted. */
  readonly scopesVersion: number;
  /** Those of the application's actions that were granted; absent when all were. */
  readonly actions?: readonly string[];
}

/** What a person granted with a code. */
export interface FamilyReference extends GrantReference {
  readonly familyId: string;
  readonly authorizationId: string;
}

/** Where a family starts (RFC 6749 §4.1.2); `challenge` is the S256 code challenge (RFC 7636). */
export interface AuthorizationCode {
  readonly digest: string;
  readonly redirectUri: string;
  readonly challenge: string | null;
  /** Whether the request named a `scope`, so that the answer has to; absent in what an earlier release kept. */
  readonly scopeAsked?: boolean;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

/** All tokens that descend from one authorization code; they are revoked together. */
export interface TokenFamily {
  readonly grant: FamilyReference;
  readonly code: AuthorizationCode;
  readonly createdAt: Date;
  /** When its last token has ended. */
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

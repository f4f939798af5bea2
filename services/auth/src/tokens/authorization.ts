/** A person's consent that an application may act for them, for one version of its scopes. */
export interface Authorization {
  readonly id: string;
  /** The person's account. */
  readonly accountId: string;
  readonly personId: number;
  readonly applicationAccountId: string;
  readonly applicationId: number;
  readonly scopesVersion: number;
  /** Those of the application's actions that were allowed so far; null, or absent in older ones, when all were. */
  readonly actions?: readonly string[] | null;
  /** The addresses of the application that it was given for, and that are the application's alone; absent in older ones. */
  readonly redirectUris?: readonly string[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

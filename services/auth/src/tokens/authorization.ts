/** A person's consent that an application may act for them, for one version of its scopes. */
export interface Authorization {
  readonly id: string;
  /** The person's account. */
  readonly accountId: string;
  readonly personId: number;
  readonly applicationAccountId: string;
  readonly applicationId: number;
  readonly scopesVersion: number;
  /** The allowed actions; null for all of the application's. */
  readonly actions: readonly string[] | null;
  /** The redirect URIs that it was given for, if they identify the application. */
  readonly redirectUris: readonly string[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** A person's consent that an application may act for them, for one version of its scopes. */
export interface Authorization {
  readonly id: string;
  /** The person's account. */
  readonly accountId: string;
  readonly personId: number;
  readonly applicationAccountId: string;
  readonly applicationId: number;
  readonly scopesVersion: number;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

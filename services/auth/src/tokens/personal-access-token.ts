import type { Scope } from '@itsm/shared/contracts/scopes';

/** A token that a person created for their own use; only its digest is stored. */
export interface PersonalAccessToken {
  readonly id: number;
  readonly accountId: string;
  readonly personId: number;
  readonly name: string;
  readonly digest: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
}

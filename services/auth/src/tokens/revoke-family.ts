import type { Clock } from '@itsm/shared/base/time/clock';
import type { FamilyReference } from './token-family';
import type { TokenFamilyRepository } from './token-family.repository';
import type { Announce } from '../security/announce';

/** Revokes all tokens of a family; other authorizations of the person are not affected. Idempotent. `record`: see `Announce`. */
export type RevokeFamily = (grant: FamilyReference, record?: () => Promise<void>) => Promise<void>;

export const createRevokeFamily =
  (families: TokenFamilyRepository, announce: Announce, now: Clock): RevokeFamily =>
  async (grant, record = () => Promise.resolve()) => {
    await families.revoke(grant.accountId, grant.familyId, now());
    await announce([grant.accountId, grant.applicationAccountId], record);
  };

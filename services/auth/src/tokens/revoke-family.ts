import type { Clock } from '@itsm/shared/base/time/clock';
import type { FamilyReference } from './token-family';
import type { TokenFamilyRepository } from './token-family.repository';
import type { Announce } from '../security/announce';

/**
 * Ends all tokens of a family at once; other authorizations of the same person are not touched. May be repeated.
 * `record` is as in `Announce`.
 */
export type RevokeFamily = (grant: FamilyReference, record?: () => Promise<void>) => Promise<void>;

export const createRevokeFamily =
  (families: TokenFamilyRepository, announce: Announce, now: Clock): RevokeFamily =>
  async (grant, record = () => Promise.resolve()) => {
    await families.revoke(grant.accountId, grant.familyId, now());
    await announce([grant.accountId, grant.applicationAccountId], record);
  };

import type { Caller } from '@itsm/shared/api/identity/caller';
import { seesAccount } from '@itsm/shared/api/identity/sees-account';
import type { TrailReach } from '../store/trail.repository';

/** The notes and audit lines that the caller may see, of records that they see. */
export const trailReachOf = (caller: Pick<Caller, 'accountId' | 'roles'>): TrailReach => ({
  accountId: caller.accountId,
  internal: seesAccount(caller),
});

import type { Role } from '@itsm/shared/contracts/directory';
import { forbidden } from '@itsm/shared/base/errors/app-error';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Reach } from '../store/record-selection';
import type { RecordType } from '../record-types/record-type';

const seeAccount: readonly Role[] = ['account_administrator', 'directory_administrator', 'specialist', 'auditor'];

/** End users and key contacts see what the declaration lets them see. */
export const seesAccount = (caller: Caller): boolean => caller.roles.some((role) => seeAccount.includes(role));

/** What the caller may see of a type at all; `partners` are the accounts in mutual trust with the selected one. */
export function reachOf({ endUsersSee }: RecordType, caller: Caller, partners: readonly string[] = []): Reach {
  if (seesAccount(caller)) return { who: 'everybody', partners };
  if (endUsersSee === 'all') return { who: 'everybody', partners: [] };
  return endUsersSee === 'none' ? { who: 'nobody', partners: [] } : { who: caller.personId, partners: [] };
}

/** Audit lines are for those who work with the account's records. */
export function checkSeesAccount(caller: Caller): void {
  if (!seesAccount(caller)) throw forbidden();
}

import { forbidden } from '@itsm/shared/base/errors/app-error';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { seesAccount } from '@itsm/shared/api/identity/sees-account';
import type { Reach } from '../store/record-selection';
import { keepers } from '../record-types/life-cycle';
import type { RecordType } from '../record-types/record-type';

/** The trash is for those who may restore what is in it; so are the lists of what is there and in the archive. */
export function checkKeeper({ roles }: Pick<Caller, 'roles'>): void {
  if (!roles.some((role) => keepers.includes(role))) throw forbidden();
}

/**
 * The part of a type's records that the caller may see; `partners` are the accounts in mutual trust with the selected
 * one.
 */
export function reachOf(
  { endUsersSee }: RecordType,
  caller: Pick<Caller, 'personId' | 'roles'>,
  partners: readonly string[] = [],
): Reach {
  if (seesAccount(caller)) return { who: 'everybody', partners };
  if (endUsersSee === 'all') return { who: 'everybody', partners: [] };
  return endUsersSee === 'none' ? { who: 'nobody', partners: [] } : { who: caller.personId, partners: [] };
}

import { forbidden } from '../../base/errors/app-error';
import type { Role } from '../../contracts/directory';
import type { Caller } from './caller';

const seeAccount: readonly Role[] = ['account_administrator', 'directory_administrator', 'specialist', 'auditor'];

/**
 * Whether the caller sees all records of the account. End users and key contacts see only records that refer to them.
 */
export const seesAccount = ({ roles }: Pick<Caller, 'roles'>): boolean =>
  roles.some((role) => seeAccount.includes(role));

export function checkSeesAccount(caller: Pick<Caller, 'roles'>): void {
  if (!seesAccount(caller)) throw forbidden();
}

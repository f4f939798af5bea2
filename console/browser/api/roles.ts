import type { Session } from './session';

type HasRoles = Pick<Session, 'roles'>;

/** Whether somebody works with all of the account's records; the others see what is theirs. */
export const isStaff = ({ roles }: HasRoles): boolean =>
  roles.some((role) => role !== 'end_user' && role !== 'key_contact');
export const isAdministrator = ({ roles }: HasRoles): boolean => roles.includes('account_administrator');
export const isSpecialist = ({ roles }: HasRoles): boolean => roles.includes('specialist');

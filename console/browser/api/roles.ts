import type { Session } from './session';

/** Whether somebody works with all of the account's records; the others see what is theirs. */
export const isStaff = ({ roles }: Pick<Session, 'roles'>): boolean =>
  roles.some((role) => role !== 'end_user' && role !== 'key_contact');

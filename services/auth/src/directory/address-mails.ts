import type { NewMailOrder } from '../mails/mail-order';
import { emailKeyOf } from './person';
import type { Person } from './person';

/** The mails for an unverified address: a link to the address, and a notice to the previous one. */
export function addressMails(before: Person | undefined, after: Person): NewMailOrder[] {
  const { accountId, id: personId, version } = after;
  const isNew = !before || emailKeyOf(before.primaryEmail) !== emailKeyOf(after.primaryEmail);
  if (!isNew) return [];
  const about = { accountId, personId, version };
  const link: NewMailOrder = { ...about, kind: 'address', address: after.primaryEmail };
  return before?.verified ? [link, { ...about, kind: 'address-notice', address: before.primaryEmail }] : [link];
}

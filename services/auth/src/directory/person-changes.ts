import { differing } from '@itsm/shared/declared/changes';
import { changedRecord, newRecord } from '@itsm/shared/declared/read-input';
import { withDisabled } from './standing';
import { emailKeyOf, personType } from './person';
import type { Person, PersonChanges } from './person';

/** A new person with an unverified address, no role and no password. */
export const newPerson = (accountId: string, id: number, given: PersonChanges, now: Date): Person => ({
  id,
  accountId,
  ...newRecord(personType, given),
  roles: {},
  enabledAt: null,
  password: null,
  createdAt: now,
  updatedAt: now,
  version: 1,
});

/** The person after a change, and the names of what has changed; `roles` are those in `accountId`. */
export function changePerson(before: Person, accountId: string, given: PersonChanges, now: Date) {
  const { roles, disabled } = given;
  const changed = changedRecord(personType, before, given);
  const after: Person = {
    ...before,
    ...changed,
    verified: before.verified && emailKeyOf(before.primaryEmail) === emailKeyOf(changed.primaryEmail),
    ...(roles && { roles: withRoles(before, accountId, roles) }),
    ...(disabled !== undefined && withDisabled(before, disabled, now)),
    updatedAt: now,
    version: before.version + 1,
  };
  const members = [
    ...Object.keys(differing(personType, before, given)),
    ...(rolesText(before) === rolesText(after) ? [] : ['roles']),
    ...((before.disabledAt === null) === (after.disabledAt === null) ? [] : ['disabled']),
  ];
  return { after, members };
}

function withRoles({ roles, accountId: home }: Person, accountId: string, given: NonNullable<PersonChanges['roles']>) {
  const others = Object.fromEntries(Object.entries(roles).filter(([id]) => id !== accountId));
  // Without a role in another account, the person no longer belongs to it.
  return given.length > 0 || accountId === home ? { ...others, [accountId]: given } : others;
}

const rolesText = ({ roles }: Person): string =>
  JSON.stringify(
    Object.keys(roles)
      .sort()
      .map((accountId) => [accountId, [...(roles[accountId] ?? [])].sort()]),
  );

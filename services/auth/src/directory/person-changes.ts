import { withDisabled } from './standing';
import { emailKeyOf } from './person';
import type { Person } from './person';
import type { NewPerson, PersonChange } from './person.input';

/** A new person from the input of an administrator of `accountId`, with an unverified address and no password. */
export const createPerson = (accountId: string, id: number, input: NewPerson, now: Date): Person => ({
  id,
  accountId,
  name: input.name,
  primaryEmail: input.primaryEmail,
  verified: false,
  authenticationId: input.authenticationID ?? null,
  source: input.source ?? null,
  sourceID: input.sourceID ?? null,
  roles: { [accountId]: input.roles ?? ['end_user'] },
  locale: input.locale ?? 'en',
  timeZone: input.timeZone ?? 'UTC',
  disabledAt: null,
  enabledAt: null,
  password: null,
  createdAt: now,
  updatedAt: now,
  version: 1,
});

/** The person after a change of the given members; `roles` are those in `accountId`. */
export function changePerson(before: Person, accountId: string, change: PersonChange, now: Date): Person {
  const { roles, disabled, authenticationID, ...plain } = change;
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  return {
    ...before,
    ...given,
    verified: before.verified && isSameAddress(before, { ...before, ...given }),
    ...(authenticationID !== undefined && { authenticationId: authenticationID }),
    ...(roles && { roles: withRoles(before, accountId, roles) }),
    ...(disabled !== undefined && withDisabled(before, disabled, now)),
  };
}

const isSameAddress = (one: Pick<Person, 'primaryEmail'>, other: Pick<Person, 'primaryEmail'>): boolean =>
  emailKeyOf(one.primaryEmail) === emailKeyOf(other.primaryEmail);

function withRoles({ roles, accountId: home }: Person, accountId: string, given: NonNullable<PersonChange['roles']>) {
  const others = Object.fromEntries(Object.entries(roles).filter(([id]) => id !== accountId));
  // Without a role in another account, the person no longer belongs to it.
  return given.length > 0 || accountId === home ? { ...others, [accountId]: given } : others;
}

const compared = ['name', 'primaryEmail', 'authenticationId', 'source', 'sourceID', 'locale', 'timeZone'] as const;

/** Names of the changed members, for the security log, and to skip a write without changes. */
export function differences(before: Person, after: Person): string[] {
  const plain = compared.filter((member) => before[member] !== after[member]);
  const roles = rolesText(before) === rolesText(after) ? [] : ['roles'];
  return [...plain, ...roles, ...((before.disabledAt === null) === (after.disabledAt === null) ? [] : ['disabled'])];
}

const rolesText = ({ roles }: Person): string =>
  JSON.stringify(
    Object.keys(roles)
      .sort()
      .map((accountId) => [accountId, [...(roles[accountId] ?? [])].sort()]),
  );

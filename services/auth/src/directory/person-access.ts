import type { Caller } from '@itsm/shared/api/identity/caller';
import { seesAccount } from '@itsm/shared/api/identity/sees-account';
import { personEditors } from '@itsm/shared/contracts/directory';
import type { Role } from '@itsm/shared/contracts/directory';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { FieldError } from '@itsm/shared/base/errors/app-error';
import { refusalOf } from '@itsm/shared/declared/read-input';
import { writableFields } from '@itsm/shared/declared/language';
import { freshnessCheck } from '../security/freshness';
import { personType } from './person';
import type { Person, PersonChanges } from './person';

/** The caller who changes people, and the selected account. */
export interface Editor {
  readonly personId: number;
  readonly name: string;
  readonly accountId: string;
  readonly roles: readonly Role[];
}

const administrator: Role = 'account_administrator';

export const isAdministrator = ({ roles }: Pick<Editor, 'roles'>): boolean => roles.includes(administrator);

/** Whether the caller sees the person's roles: their own, or with a role that sees the whole account. */
export const mayKnowRoles = (person: Pick<Person, 'id'>, caller: Pick<Caller, 'personId' | 'roles'>): boolean =>
  person.id === caller.personId || seesAccount(caller);

/** Refuses to make somebody an account administrator to who has to sign in again first: the role outlives the token. */
export function grantCheck(now: Clock) {
  const checkFresh = freshnessCheck(now);
  return (caller: Pick<Caller, 'kind' | 'authenticatedAt'>, { roles }: PersonChanges): void => {
    if (roles?.includes(administrator)) checkFresh(caller);
  };
}

/** Field errors when an `editor` who is no administrator gives or takes the role account_administrator. `before`: the present roles. */
export function refusedRoles(editor: Editor, before: readonly Role[], change: PersonChanges): FieldError[] {
  const { roles } = change;
  if (!roles || isAdministrator(editor) || roles.includes(administrator) === before.includes(administrator)) return [];
  return [['roles', 'Only an account administrator can give or take the role account_administrator']];
}

/**
 * Whether the caller sees the authentication ID: the person, and administrators of their account. An application of
 * another account that acts as the person without having asked them is neither.
 */
export const mayKnowIdentity = (
  person: Person,
  { personId, accountId, roles, kind }: Pick<Caller, 'personId' | 'accountId' | 'roles' | 'kind'>,
): boolean => {
  const isAtHome = person.accountId === accountId;
  const isPerson = person.id === personId && (isAtHome || kind !== 'exchange');
  return isPerson || (isAtHome && personEditors.some((role) => roles.includes(role)));
};

/** Whether only an account administrator may change what the person signs in with. */
export const administersAny = ({ roles }: Pick<Person, 'roles'>): boolean =>
  Object.values(roles).some((held) => held.includes(administrator));

/**
 * Field errors for changes that `editor` may not make. The identity of a person belongs to their own account; other
 * accounts can only give and remove roles in themselves. Members that decide who can sign in as an administrator are
 * for administrators only.
 */
export function refusedChanges(editor: Editor, person: Person, change: PersonChanges): FieldError[] {
  const { roles, ...own } = change;
  const given = writableFields(personType).filter(({ name }) => Object.keys(own).includes(name));
  const here = person.roles[editor.accountId] ?? [];
  if (person.accountId !== editor.accountId) {
    const foreign = given.map((field) => refusalOf(field, "can only be changed in the person's account"));
    const byOther: FieldError[] =
      roles && !isAdministrator(editor)
        ? [['roles', 'Only an account administrator can give roles to people of other accounts']]
        : [];
    return [...foreign, ...byOther];
  }
  const ofAdministrator =
    administersAny(person) && !isAdministrator(editor)
      ? given.map((field) => refusalOf(field, 'of an administrator can only be changed by an account administrator'))
      : [];
  return [...ofAdministrator, ...refusedRoles(editor, here, change)];
}

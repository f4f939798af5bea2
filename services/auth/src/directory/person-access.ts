import type { Caller } from '@itsm/shared/api/identity/caller';
import { seesAccount } from '@itsm/shared/api/identity/sees-account';
import type { Role } from '@itsm/shared/contracts/directory';
import type { FieldError } from '@itsm/shared/base/errors/app-error';
import type { Person } from './person';
import type { PersonChange } from './person.input';

/** The caller who changes people, and the selected account. */
export interface Editor {
  readonly personId: number;
  readonly name: string;
  readonly accountId: string;
  readonly roles: readonly Role[];
}

const administrator: Role = 'account_administrator';

/** Roles that may create and change people. */
export const editorRoles = [administrator, 'directory_administrator'] as const satisfies readonly Role[];

export const isAdministrator = ({ roles }: Pick<Editor, 'roles'>): boolean => roles.includes(administrator);

/** Whether the caller sees the person's roles: their own, or with a role that sees the whole account. */
export const mayKnowRoles = (person: Pick<Person, 'id'>, caller: Pick<Caller, 'personId' | 'roles'>): boolean =>
  person.id === caller.personId || seesAccount(caller);

/** Field errors when an `editor` who is no administrator gives or takes the role account_administrator. `before`: the present roles. */
export function refusedRoles(editor: Editor, before: readonly Role[], change: PersonChange): FieldError[] {
  const { roles } = change;
  if (!roles || isAdministrator(editor) || roles.includes(administrator) === before.includes(administrator)) return [];
  return [['roles', 'Only an account administrator can give or take the role account_administrator']];
}

/**
 * Field errors for changes that `editor` may not make. The identity of a person belongs to their own account; other
 * accounts can only give and remove roles in themselves. Members that decide who can sign in as an administrator are
 * for administrators only.
 */
export function refusedChanges(editor: Editor, person: Person, change: PersonChange): FieldError[] {
  const { roles, ...own } = change;
  const given = Object.entries(own).flatMap(([member, value]) => (value === undefined ? [] : [member]));
  const here = person.roles[editor.accountId] ?? [];
  if (person.accountId !== editor.accountId) {
    const foreign = given.map((member): FieldError => [
      member,
      `${member} can only be changed in the person's account`,
    ]);
    const byOther: FieldError[] =
      roles && !isAdministrator(editor)
        ? [['roles', 'Only an account administrator can give roles to people of other accounts']]
        : [];
    return [...foreign, ...byOther];
  }
  const administersAny = Object.values(person.roles).some((held) => held.includes(administrator));
  const ofAdministrator =
    administersAny && !isAdministrator(editor)
      ? given.map((member): FieldError => [member, 'Only an account administrator can change an administrator'])
      : [];
  return [...ofAdministrator, ...refusedRoles(editor, here, change)];
}

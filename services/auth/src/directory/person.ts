import { AppError } from '@itsm/shared/base/errors/app-error';
import type { PersonSaved, Role } from '@itsm/shared/contracts/directory';
import { asciiDomainOf } from '@itsm/shared/outbound/mail/address';
import type { Standing } from './standing';
import type { PasswordHash } from './password';

export type RolesByAccount = Readonly<Record<string, readonly Role[]>>;

/** A person of one account; `version` is incremented by every save. */
export interface Person extends Standing {
  readonly id: number;
  readonly accountId: string;
  readonly name: string;
  readonly primaryEmail: string;
  /** Whether the person has proved ownership of the address. An unverified address cannot be used to sign in or to find the person. */
  readonly verified: boolean;
  /** The identity provider's identifier for the person; unique in the account. */
  readonly authenticationId: string | null;
  /** The external system in which the person has the id `sourceID`. */
  readonly source: string | null;
  readonly sourceID: string | null;
  /** Roles by account id; the person's own account is always among them. */
  readonly roles: RolesByAccount;
  readonly locale: string;
  readonly timeZone: string;
  readonly password: PasswordHash | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly version: number;
}

/**
 * The key by which e-mail addresses are compared. Only ASCII letters are folded: full Unicode folding would equate
 * look-alike addresses of different people. An internationalized domain has one key for both of its forms, since programs
 * write either.
 */
export function emailKeyOf(email: string): string {
  const start = email.lastIndexOf('@') + 1;
  const domain = email.slice(start);
  const isLookAlike = domain !== domain.normalize('NFKC');
  const key = `${email.slice(0, start)}${(isLookAlike ? undefined : asciiDomainOf(domain)) ?? domain}`;
  return key.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** A short number for the person to give to the service desk. */
export const supportIdOf = (person: Person): string => String(person.id).padStart(6, '0');

/** Whether the person may act in `accountId`. */
export const belongsTo = (person: Person, accountId: string): boolean => Object.hasOwn(person.roles, accountId);

/** Accounts that the person administers at present. */
export const administeredBy = ({ disabledAt, roles }: Pick<Person, 'disabledAt' | 'roles'>): string[] =>
  disabledAt ? [] : Object.keys(roles).filter((accountId) => roles[accountId]?.includes('account_administrator'));

/** Whether the person administers `accountId`, their own account unless another is given. */
export const isAdministrator = (person: Person, accountId = person.accountId): boolean =>
  belongsTo(person, accountId) && (person.roles[accountId]?.includes('account_administrator') ?? false);

/** The message about a person for other services. */
export const toPersonSaved = (person: Person): PersonSaved => ({
  id: person.id,
  accountId: person.accountId,
  name: person.name,
  primaryEmail: person.primaryEmail,
  sourceID: person.sourceID,
  roles: Object.fromEntries(Object.entries(person.roles).map(([accountId, roles]) => [accountId, [...roles]])),
  disabled: person.disabledAt !== null,
  version: person.version,
});

/** Throws the refusal when the optimistic write has lost to concurrent changes too often. */
export const personBusy = (): never => {
  throw new AppError('conflict', 'The person is being changed by too many others; try again');
};

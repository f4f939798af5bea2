import { AppError } from '@itsm/shared/base/errors/app-error';
import { personEditors, roles } from '@itsm/shared/contracts/directory';
import type { PersonSaved, Role } from '@itsm/shared/contracts/directory';
import type { Declaration } from '@itsm/shared/declared/language';
import type { GivenOf, RecordOf } from '@itsm/shared/declared/record-of';
import { writeTime } from '@itsm/shared/base/time/time-text';
import { asciiDomainOf } from '@itsm/shared/outbound/mail/address';
import type { Standing } from './standing';
import type { PasswordHash } from './password';
import { inOneLine } from './one-line';

/** An address of a person, wherever one is given. */
export const primaryEmail = {
  name: 'primaryEmail',
  label: 'Primary email',
  kind: 'text',
  maxLength: 254,
  check: addressProblem,
  required: true,
  filterable: true,
  sortable: true,
  help: 'Unique in the account, regardless of case. A new address is unverified until the person follows the link that is mailed to it; the former one no longer counts.',
} as const;

/** Roles in one account, wherever they are given. */
export const rolesField = {
  name: 'roles',
  label: 'Roles',
  one: 'Role',
  kind: 'choices',
  choices: roles,
  enumName: 'PersonRole',
  mayBeEmpty: true,
  help: 'All roles in the current account. End users and key contacts see only their own.',
} as const;

/** The roles of a new person. */
export const newcomerRoles = ['end_user'] as const satisfies readonly Role[];

/** A person: what administrators edit and see of them. */
export const personType = {
  name: 'person',
  graphqlName: 'Person',
  plural: 'people',
  label: 'Person',
  labelPlural: 'People',
  description: 'A person who calls the platform, or whom records name.',
  reads: {
    list: 'People of the current account and of its directory account, and those who were given a role in it.',
    one: 'One of these people; null when there is none with this id.',
  },
  views: {
    all: {
      description: 'Everybody whom the caller may see: the same people as in the current account.',
      label: 'Everybody',
      rare: 'everybody',
    },
    current_account: {
      description: 'People of the current account and of its directory account, and those who were given a role in it.',
      label: 'All',
    },
    directory: 'Of these, the people of the directory account.',
    support_domain: 'Of these, the people of the current account itself.',
  },
  writes: {
    create:
      'Creates a person in the current account, and mails them a link for choosing a password; for account and directory administrators.',
    update:
      'Changes a person of the current account; of people of its directory account, and of partners who have a role, only the roles in the current account.',
  },
  editors: { create: personEditors, update: personEditors },
  isVersioned: true,
  nullIs: 'default',
  search: ['name', 'primaryEmail'],
  columns: ['primaryEmail', 'roles', 'disabled'],
  audience: 'staff',
  fields: [
    {
      name: 'name',
      label: 'Name',
      kind: 'text',
      maxLength: 255,
      check: inOneLine,
      required: true,
      filterable: true,
      sortable: true,
    },
    primaryEmail,
    {
      name: 'verified',
      label: 'Verified',
      kind: 'flag',
      default: false,
      // There was no verification then.
      older: true,
      written: 'never',
      shown: 'on request',
      help: 'Whether the person has followed a link that was mailed to the address. An unverified address cannot be used to sign in.',
    },
    {
      name: 'authenticationID',
      stored: 'authenticationId',
      label: 'Authentication ID',
      kind: 'text',
      maxLength: 255,
      check: inOneLine,
      shown: 'on request',
      help: 'What an identity provider calls the person; unique in the account. For the person and for administrators of their account.',
    },
    {
      name: 'supportID',
      label: 'Support ID',
      kind: 'derived',
      type: 'String!',
      written: 'never',
      shown: 'on request',
      help: 'A short number for the person to give to the service desk.',
    },
    { name: 'account', label: 'Account', kind: 'derived', type: 'Account!', written: 'never', shown: 'on request' },
    // They are stored by account.
    { ...rolesField, default: newcomerRoles, isInputOnly: true },
    {
      name: 'roles',
      label: 'Roles',
      kind: 'derived',
      type: '[PersonRole!]!',
      written: 'never',
      shown: 'on request',
      help: 'The roles in the current account; end users and key contacts see only their own.',
    },
    {
      name: 'disabled',
      label: 'Disabled',
      kind: 'standing',
      property: 'disabledAt',
      written: 'on change',
      filterable: true,
      help: 'All tokens of a disabled person die at once, and stay dead when the person is enabled again.',
    },
    {
      name: 'locale',
      label: 'Locale',
      kind: 'text',
      maxLength: 35,
      check: (text: string) => (isLocale(text) ? undefined : 'is not a language tag such as en or nl-NL'),
      default: 'en',
      shown: 'on request',
      help: 'A language tag such as nl-NL.',
    },
    {
      name: 'timeZone',
      label: 'Time zone',
      kind: 'text',
      maxLength: 64,
      check: (text: string) => (isTimeZone(text) ? undefined : 'is not a name such as Europe/Amsterdam'),
      default: 'UTC',
      shown: 'on request',
      help: 'A name such as Europe/Amsterdam.',
    },
    {
      name: 'source',
      label: 'Source',
      kind: 'text',
      maxLength: 30,
      check: inOneLine,
      filterable: true,
      help: 'The system that knows the person under the source ID.',
    },
    { name: 'sourceID', label: 'Source ID', kind: 'text', maxLength: 128, check: inOneLine, filterable: true },
  ],
} as const satisfies Declaration;

/** What a caller has given for a person. */
export type PersonChanges = GivenOf<typeof personType>;

export type RolesByAccount = Readonly<Record<string, readonly Role[]>>;

/** A person of one account; `version` is incremented by every save. */
export interface Person extends RecordOf<typeof personType>, Standing {
  readonly id: number;
  readonly accountId: string;
  /** Roles by account id; the person's own account is always among them. */
  readonly roles: RolesByAccount;
  readonly password: PasswordHash | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly version: number;
}

// No quoting, comments or lists, so that the text is one address in any context (HTML Standard: valid e-mail address).
const address = /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]+@[\p{L}\p{N}]([\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u;

function addressProblem(text: string): string | undefined {
  if (!address.test(text)) return 'is not an e-mail address';
  if (asciiDomainOf(text.slice(text.indexOf('@') + 1)) === undefined)
    return 'has a domain to which no mail can be sent';
  return text === text.normalize('NFKC') ? undefined : 'has characters that stand for others';
}

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text)[0] === text;
  } catch {
    return false;
  }
}

function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
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
  locale: person.locale,
  timeZone: person.timeZone,
  verified: person.verified,
  authenticationID: person.authenticationID,
  source: person.source,
  createdAt: writeTime(person.createdAt),
  updatedAt: writeTime(person.updatedAt),
});

/** Throws the refusal when the optimistic write has lost to concurrent changes too often. */
export const personBusy = (): never => {
  throw new AppError('conflict', 'The person is being changed by too many others; try again');
};

import { AppError } from '@itsm/shared/base/errors/app-error';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { hostNames, isAccountId } from '@itsm/shared/api/identity/account-id';
import { parseNodeId } from '@itsm/shared/base/ids/node-id';
import type { AccountSaved, Trust } from '@itsm/shared/contracts/directory';
import type { Declaration } from '@itsm/shared/declared/language';
import { newRecord } from '@itsm/shared/declared/read-input';
import type { GivenOf, RecordOf } from '@itsm/shared/declared/record-of';
import { z } from 'zod';
import { inOneLine } from './one-line';
import type { Standing } from './standing';

const trustedId = z.string().refine(isAccountId, 'Account ID is malformed');

/** A trust by the names of either edge. What answers show beside it may be sent back, and is ignored. */
const givenTrust = z
  .strictObject({
    accountID: trustedId.optional(),
    account_id: trustedId.optional(),
    as: z.enum(['provider', 'customer'], 'As is not one of provider, customer'),
    mutual: z.unknown().optional(),
  })
  .transform(({ accountID, account_id: accountId = accountID, as }, context): Trust => {
    if (accountId !== undefined) return { accountId, as };
    context.addIssue({ code: 'custom', path: ['account_id'], message: 'Account ID is required' });
    return z.NEVER;
  });

const trusts = z
  .array(givenTrust, 'Trusts must be a list')
  .max(1_000, 'Trusts are too many (at most 1000)')
  .refine(
    (given) => new Set(given.map(({ accountId }) => accountId)).size === given.length,
    'Trusts name an account more than once',
  );

/** An organization's tenant: what its administrators edit and see of it. */
export const accountType = {
  name: 'account',
  graphqlName: 'Account',
  plural: 'accounts',
  label: 'Account',
  labelPlural: 'Accounts',
  description: 'An organization that uses the platform.',
  reads: {
    list: 'The current account, its directory account, the accounts it is the directory account of, and those it trusts and is trusted by.',
    one: 'One of these accounts, the current one without an id; null when there is none with this id.',
  },
  writes: {
    update:
      'Changes the current account, or disables and enables one that it is the directory account of; for account administrators.',
  },
  isVersioned: true,
  nullIs: 'refused',
  isTimeless: true,
  isAccount: true,
  search: ['name', 'id'],
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
    {
      name: 'customUrl',
      label: 'Custom URL',
      kind: 'text',
      maxLength: 255,
      check: (text: string) => (isWebAddress(text) ? undefined : 'is not a valid https address'),
      help: 'Under https.',
    },
    {
      name: 'directoryAccount',
      label: 'Directory account',
      kind: 'derived',
      type: 'Account',
      written: 'never',
      shown: 'on request',
      help: 'Its people and sign-in settings serve this account too.',
    },
    {
      name: 'trusts',
      label: 'Trusts',
      kind: 'shape',
      schema: trusts,
      type: '[AccountTrust!]',
      inputType: '[AccountTrustInput!]',
      words: 'list of at most 1000 of `{account_id, as}`',
      default: [],
      older: [],
      shown: 'on request',
      help: 'The accounts it works with, as far as it says so itself; of the current account only. Those that are left out of a change end.',
    },
    {
      name: 'secondFactorRequired',
      label: 'Second factor required',
      kind: 'flag',
      default: false,
      older: false,
      isRestricted: true,
      shown: 'on request',
      help: 'Whether its people need an authenticator app or a passkey to sign in. For its administrators; a change needs a recent sign-in.',
    },
    {
      name: 'disabled',
      label: 'Disabled',
      kind: 'standing',
      property: 'disabledAt',
      filterable: true,
      help: 'Changed for another account only. All tokens of a disabled account die at once, and stay dead when it is enabled again.',
    },
  ],
} as const satisfies Declaration;

/** What a caller has given for an account. */
export type AccountChanges = GivenOf<typeof accountType>;

/**
 * An organization's tenant; `id` is its slug. In or for a disabled account no caller can act. A trust is in force when
 * both sides declare it. `version` is incremented by every save.
 */
export interface Account extends RecordOf<typeof accountType>, Standing {
  readonly id: string;
  /** The parent account, whose people and sign-in settings also serve this account. */
  readonly directoryAccountId: string | null;
  readonly version: number;
}

/** Whether the caller administers the account, and so knows how its people sign in. */
export const mayKnowFactors = ({ id }: Account, { accountId, roles }: Pick<Caller, 'accountId' | 'roles'>): boolean =>
  id === accountId && roles.includes('account_administrator');

/** An account of which nothing is known but its id: it does not reveal whether the account exists. */
export const accountNamed = (id: string): Account => ({
  id,
  ...newRecord(accountType, { name: id }),
  directoryAccountId: null,
  enabledAt: null,
  version: 0,
});

/** Why the id is not allowed for a new account; undefined when it is. The id is also a host name label. */
export function refusedAccountId(id: string): string | undefined {
  if (!isAccountId(id))
    return 'Account ID must be of at most 63 lower-case letters, digits and hyphens, and begin with a letter or digit';
  // RFC 1123 §2.1, RFC 5890 §2.3.1.
  if (id.endsWith('-') || /^..--/.test(id))
    return 'Account ID must not end with a hyphen, nor have two as its third and fourth characters';
  if (hostNames.includes(id))
    return `Account ID must not be one of ${hostNames.join(', ')}: these are hosts of the platform`;
  return undefined;
}

function isWebAddress(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url?.protocol === 'https:' && url.username === '' && url.password === '';
}

/** Whether both accounts declare the trust, one as provider and the other as customer. */
export const trustEachOther = (one: Account, other: Account): boolean =>
  one.trusts.some(
    ({ accountId, as }) =>
      accountId === other.id && other.trusts.some((back) => back.accountId === one.id && back.as !== as),
  );

/** The account id, from that id or from a node id; undefined for anything else. */
export function accountIdIn(nodeIdDomain: string, text: string): string | undefined {
  if (/^[a-z0-9-]{1,63}$/.test(text)) return text;
  const node = parseNodeId(nodeIdDomain, text);
  return node?.type === 'Account' ? node.id : undefined;
}

/** The message about an account for other services. */
export const toAccountSaved = (account: Account): AccountSaved => ({
  id: account.id,
  name: account.name,
  customUrl: account.customUrl,
  directoryAccountId: account.directoryAccountId,
  trusts: [...account.trusts],
  disabled: account.disabledAt !== null,
  version: account.version,
});

/** Throws the refusal when the optimistic write has lost to concurrent changes too often. */
export const accountBusy = (): never => {
  throw new AppError('conflict', 'The account is being changed by too many others; try again');
};

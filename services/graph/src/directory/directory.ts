import type { AccountSaved, PersonSaved, Trust } from '@itsm/shared/contracts/directory';

/** A person and an account as auth last published them. */
export type KnownPerson = Omit<PersonSaved, 'version' | 'authenticationID' | 'source' | 'createdAt' | 'updatedAt'>;
/** A person with all that is exported of them. */
export type ListedPerson = Required<Omit<PersonSaved, 'version' | 'createdAt' | 'updatedAt'>> & {
  readonly createdAt: Date;
  readonly updatedAt: Date;
};
export type KnownAccount = Pick<AccountSaved, 'id' | 'name' | 'directoryAccountId' | 'trusts'>;

/**
 * Whether a record of the account may refer to the person: one of the account, of its directory, or with a role in it.
 */
export const mayBeNamed = (person: KnownPerson, accountId: string, account: KnownAccount | undefined): boolean =>
  person.accountId === accountId ||
  person.accountId === account?.directoryAccountId ||
  (person.roles[accountId] ?? []).length > 0;

const opposite = { provider: 'customer', customer: 'provider' } as const;

const says = (account: KnownAccount, accountId: string, as: Trust['as']): boolean =>
  account.trusts?.some((trust) => trust.accountId === accountId && trust.as === as) ?? false;

/** Whether `other` is a provider or customer of `account`; a trust holds only when both sides declare it. */
export const isPartner = (account: KnownAccount, other: KnownAccount, as: Trust['as']): boolean =>
  says(account, other.id, as) && says(other, account.id, opposite[as]);

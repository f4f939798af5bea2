import type { Trust } from '@itsm/shared/contracts/directory';
import { notFound } from '@itsm/shared/base/errors/app-error';
import { trustEachOther } from './account';
import type { Account } from './account';
import type { AccountConditions, AccountRepository } from './account.repository';

/** The condition for accounts visible from `account`: itself, its directory account, its children and its partners. */
export function visibleAccounts(account: Account): AccountConditions {
  const { id, directoryAccountId, trusts } = account;
  const partners = (['provider', 'customer'] as const).map((as) => ({
    _id: { $in: trusts.filter((trust) => trust.as === as).map(({ accountId }) => accountId) },
    trusts: { $elemMatch: { accountId: id, as: as === 'provider' ? 'customer' : 'provider' } },
  }));
  const own = [id, ...(directoryAccountId === null ? [] : [directoryAccountId])];
  return { $or: [{ _id: { $in: own } }, { directoryAccountId: id }, ...partners] };
}

/** The same by id; throws "Not Found" for an unknown account. */
export async function conditionsFor(accounts: AccountRepository, accountId: string): Promise<AccountConditions> {
  const own = await accounts.find(accountId);
  if (!own) throw notFound();
  return visibleAccounts(own);
}

/** Whether `other` declares the counterpart of `trust`, so that the trust is in force. */
export const isMutual = (accountId: string, trust: Trust, other: Account | undefined): boolean =>
  other?.trusts.some((back) => back.accountId === accountId && back.as !== trust.as) ?? false;

/** An account visible from `accountId`; undefined for any other. */
export async function findVisibleAccount(
  accounts: AccountRepository,
  accountId: string,
  wanted: string,
): Promise<Account | undefined> {
  const own = await accounts.find(accountId);
  if (!own || wanted === accountId) return own;
  const other = await accounts.find(wanted);
  if (!other) return undefined;
  const related = own.directoryAccountId === wanted || other.directoryAccountId === accountId;
  return related || trustEachOther(own, other) ? other : undefined;
}

import { AppError } from '@itsm/shared/base/errors/app-error';
import type { AccountSaved, Trust } from '@itsm/shared/contracts/directory';
import { parseNodeId } from '@itsm/shared/base/ids/node-id';
import type { Standing } from './standing';

/** An organization's tenant; `id` is its slug. No caller acts for or in a disabled one. `version` grows with every save. */
export interface Account extends Standing {
  readonly id: string;
  readonly name: string;
  readonly customUrl: string | null;
  /** The parent that may hold people and sign-in settings for it. */
  readonly directoryAccountId: string | null;
  /** Those it works with; in force when both sides declare it. */
  readonly trusts: readonly Trust[];
  /** Whether its people need a second factor to sign in. */
  readonly secondFactorRequired: boolean;
  readonly version: number;
}

/** Whether the two declare each other, one as provider and the other as customer. */
export const trustEachOther = (one: Account, other: Account): boolean =>
  one.trusts.some(
    ({ accountId, as }) =>
      accountId === other.id && other.trusts.some((back) => back.accountId === one.id && back.as !== as),
  );

/** The id of an account, from that id or from the id of its node; undefined for what is neither. */
export function accountIdIn(nodeIdDomain: string, text: string): string | undefined {
  if (/^[a-z0-9-]{1,63}$/.test(text)) return text;
  const node = parseNodeId(nodeIdDomain, text);
  return node?.type === 'Account' ? node.id : undefined;
}

/** What the other services get of an account. */
export const toAccountSaved = (account: Account): AccountSaved => ({
  id: account.id,
  name: account.name,
  customUrl: account.customUrl,
  directoryAccountId: account.directoryAccountId,
  trusts: [...account.trusts],
  disabled: account.disabledAt !== null,
  version: account.version,
});

/** Refuses a change that others came before again and again. */
export const accountBusy = (): never => {
  throw new AppError('conflict', 'The account is being changed by too many others; try again');
};

import { AppError } from '@itsm/shared/base/errors/app-error';
import type { AccountSaved, Trust } from '@itsm/shared/contracts/directory';
import { parseNodeId } from '@itsm/shared/base/ids/node-id';
import type { Standing } from './standing';

/** An organization's tenant; `id` is its slug. In or for a disabled account no caller can act. `version` is incremented by every save. */
export interface Account extends Standing {
  readonly id: string;
  readonly name: string;
  readonly customUrl: string | null;
  /** The parent account, whose people and sign-in settings also serve this account. */
  readonly directoryAccountId: string | null;
  /** Declared trusts; a trust is in force when both sides declare it. */
  readonly trusts: readonly Trust[];
  /** Whether its people must use a second factor to sign in. */
  readonly secondFactorRequired: boolean;
  readonly version: number;
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

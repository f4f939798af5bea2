import { accountSaved } from '@itsm/shared/contracts/directory';
import { outboxEntry } from '@itsm/shared/outbox/outbox';
import type { Relay } from '@itsm/shared/outbox/outbox';
import type { Clock } from '@itsm/shared/time/clock';
import type { Audit } from '../audit/audit.service';
import type { Account } from './account';
import { toAccountSaved } from './account';
import { checkNewAccountId } from './account-input';
import type { AccountRepository } from './account.repository';

export interface AccountInput {
  readonly id: string;
  readonly name: string;
  readonly directoryAccountId?: string | null;
  readonly customUrl?: string | null;
}

interface Dependencies {
  readonly accounts: AccountRepository;
  readonly relay: Relay;
  readonly audit: Audit;
  readonly now: Clock;
}

export type AccountService = ReturnType<typeof createAccountService>;

export function createAccountService({ accounts, relay, audit, now }: Dependencies) {
  return {
    /** Creates the account or brings it up to date, and tells the other services when something changed. */
    async ensure(input: AccountInput): Promise<void> {
      for (;;) {
        const before = await accounts.find(input.id);
        if (!before) checkNewAccountId(input.id);
        const after = changed(before, input);
        if (before && isSame(before, after)) return;
        if (!(await accounts.save(after, [outboxEntry(accountSaved, toAccountSaved(after))], now()))) continue;
        relay.nudge();
        return audit.record(input.id, { event: before ? 'account.updated' : 'account.created' });
      }
    },
  };
}

const changed = (before: Account | undefined, input: AccountInput): Account => ({
  id: input.id,
  name: input.name,
  customUrl: input.customUrl ?? null,
  directoryAccountId: input.directoryAccountId ?? null,
  trusts: before?.trusts ?? [],
  disabledAt: before?.disabledAt ?? null,
  enabledAt: before?.enabledAt ?? null,
  version: (before?.version ?? 0) + 1,
});

const isSame = (one: Account, other: Account): boolean =>
  one.name === other.name && one.customUrl === other.customUrl && one.directoryAccountId === other.directoryAccountId;

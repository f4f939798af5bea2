import { accountSaved } from '@itsm/shared/contracts/directory';
import { stale, writeAgain } from '@itsm/shared/base/concurrency/write-again';
import { validationFailed } from '@itsm/shared/base/errors/app-error';
import { parse } from '@itsm/shared/api/http/parse';
import { outboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Audit } from '../security/audit.service';
import type { Account } from './account';
import { accountBusy, toAccountSaved } from './account';
import { accountInput, refusedAccountId } from './account.input';
import type { AccountInput } from './account.input';
import type { AccountRepository } from './account.repository';

interface Dependencies {
  readonly accounts: AccountRepository;
  /** Makes the outbox send waiting messages at once. */
  readonly nudge: () => void;
  readonly audit: Audit;
  readonly now: Clock;
}

export interface AccountService {
  /**
   * The only way to create accounts. Creates the account or updates the given members, and publishes it when something
   * changed. Idempotent: of concurrent calls one creates it.
   */
  ensure(input: AccountInput): Promise<Account>;
}

export function createAccountService({ accounts, nudge, audit, now }: Dependencies): AccountService {
  async function checkDirectory({ id, directoryAccountId: directory }: Account): Promise<void> {
    if (directory === null) return;
    if (directory === id) throw refused('Directory account must be another account');
    if (!(await accounts.find(directory))) throw refused(`Directory account ${directory} does not exist`);
    const passed = new Set<string>();
    for (let above: string | null = directory; above !== null && !passed.has(above);) {
      passed.add(above);
      above = (await accounts.find(above))?.directoryAccountId ?? null;
      if (above === id) {
        throw refused(
          `Directory account ${directory} has ${id} as its own directory account, directly or by way of others`,
        );
      }
    }
  }

  return {
    async ensure(input: AccountInput): Promise<Account> {
      const given = parse(accountInput, input);
      const attempt = async () => {
        const before = await accounts.find(given.id);
        const refusal = before ? undefined : refusedAccountId(given.id);
        if (refusal !== undefined) throw validationFailed([['id', refusal]]);
        const after = changed(before, given);
        if (before && isSame(before, after)) return before;
        if (before?.directoryAccountId !== after.directoryAccountId) await checkDirectory(after);
        if (!(await accounts.save(after, [outboxEntry(accountSaved, toAccountSaved(after))], now()))) return stale;
        nudge();
        await audit.record(given.id, { event: before ? 'account.updated' : 'account.created' });
        return after;
      };
      return writeAgain(attempt, { busy: accountBusy });
    },
  };
}

const refused = (text: string) => validationFailed([['directoryAccountId', text]]);

const changed = (before: Account | undefined, { id, name, customUrl, directoryAccountId }: AccountInput): Account => ({
  id,
  name: name ?? before?.name ?? id,
  customUrl: (customUrl === undefined ? before?.customUrl : customUrl) ?? null,
  directoryAccountId: (directoryAccountId === undefined ? before?.directoryAccountId : directoryAccountId) ?? null,
  trusts: before?.trusts ?? [],
  secondFactorRequired: before?.secondFactorRequired ?? false,
  disabledAt: before?.disabledAt ?? null,
  enabledAt: before?.enabledAt ?? null,
  version: (before?.version ?? 0) + 1,
});

const isSame = (one: Account, other: Account): boolean =>
  one.name === other.name && one.customUrl === other.customUrl && one.directoryAccountId === other.directoryAccountId;

import { accountSaved } from '@itsm/shared/contracts/directory';
import { stale, writeAgain } from '@itsm/shared/base/concurrency/write-again';
import { validationFailed } from '@itsm/shared/base/errors/app-error';
import { changedRecord, readForm } from '@itsm/shared/declared/read-input';
import { outboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Audit } from '../security/audit.service';
import type { Account } from './account';
import { accountBusy, accountNamed, accountType, refusedAccountId, toAccountSaved } from './account';
import type { AccountRepository } from './account.repository';

interface Dependencies {
  readonly accounts: AccountRepository;
  /** Makes the outbox send waiting messages at once. */
  readonly nudge: () => void;
  readonly audit: Audit;
  readonly now: Clock;
}

/** The operator's input. Absent members do not change; the name of a new account defaults to its id. */
export interface AccountInput {
  readonly id: string;
  readonly name?: string;
  readonly customUrl?: string | null;
  readonly directoryAccountId?: string | null;
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
    async ensure({ id, directoryAccountId, ...input }: AccountInput): Promise<Account> {
      const given = readForm(accountType, 'update', input);
      const attempt = async () => {
        const before = await accounts.find(id);
        const refusal = before ? undefined : refusedAccountId(id);
        if (refusal !== undefined) throw validationFailed([['id', refusal]]);
        const former = before ?? accountNamed(id);
        const after = {
          ...former,
          ...changedRecord(accountType, former, given),
          ...(directoryAccountId !== undefined && { directoryAccountId }),
          version: former.version + 1,
        };
        if (before && isSame(before, after)) return before;
        if (former.directoryAccountId !== after.directoryAccountId) await checkDirectory(after);
        if (!(await accounts.save(after, [outboxEntry(accountSaved, toAccountSaved(after))], now()))) return stale;
        nudge();
        await audit.record(id, { event: before ? 'account.updated' : 'account.created' });
        return after;
      };
      return writeAgain(attempt, { busy: accountBusy });
    },
  };
}

const refused = (text: string) => validationFailed([['directoryAccountId', text]]);

const isSame = (one: Account, other: Account): boolean =>
  one.name === other.name && one.customUrl === other.customUrl && one.directoryAccountId === other.directoryAccountId;

import { accountSaved } from '@itsm/shared/contracts/directory';
import { stale, writeAgain } from '@itsm/shared/base/concurrency/write-again';
import { notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import type { FieldError } from '@itsm/shared/base/errors/app-error';
import type { Precondition } from '@itsm/shared/api/http/if-match';
import { differing, namesOf } from '@itsm/shared/declared/changes';
import { changedRecord, refuse } from '@itsm/shared/declared/read-input';
import { outboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { AuditEvent } from '../security/audit-event';
import type { Audit } from '../security/audit.service';
import { withDisabled } from './standing';
import type { PersonRepository } from './person.repository';
import type { Announce } from '../security/announce';
import { accountBusy, accountType, toAccountSaved } from './account';
import type { Account, AccountChanges } from './account';
import type { AccountRepository } from './account.repository';

interface Dependencies {
  readonly accounts: AccountRepository;
  readonly people: PersonRepository;
  /** Makes the outbox send waiting messages at once. */
  readonly nudge: () => void;
  readonly announce: Announce;
  readonly audit: Audit;
  readonly now: Clock;
}

export interface AccountAdministration {
  /** Changes the account itself, or disables or enables one whose directory account it is (`targetId`). */
  update(accountId: string, targetId: string, given: AccountChanges, check?: Precondition<Account>): Promise<Account>;
  /** For the operator. When it returns, no token of the account is valid any more. */
  readonly setDisabled: (accountId: string, disabled: boolean) => Promise<Account>;
}

export function createAccountAdministration({
  accounts,
  people,
  nudge,
  announce,
  audit,
  now,
}: Dependencies): AccountAdministration {
  async function write(after: Account): Promise<boolean> {
    const saved = await accounts.save(after, [outboxEntry(accountSaved, toAccountSaved(after))], now());
    if (saved) nudge();
    return saved;
  }

  /** Announces to this account and to the home accounts of people with roles in it, because their tokens may act here. */
  async function announceStanding(accountId: string, record: () => Promise<void>): Promise<void> {
    await announce([accountId, ...(await people.homesOf(accountId))], record);
  }

  function change(accountId: string, given: AccountChanges, check?: Precondition<Account>): Promise<Account> {
    const attempt = async () => {
      const before = await accounts.find(accountId);
      if (!before) throw notFound();
      const changed = changedAccount(before, given, now());
      const members = differences(before, changed, given);
      await check?.(before);
      const after = members.length > 0 ? { ...changed, version: before.version + 1 } : before;
      if (members.length > 0 && !(await write(after))) return stale;
      const record = async (): Promise<void> => {
        if (members.length > 0) await audit.record(accountId, { event: eventOf(members, after), facts: { members } });
      };
      // Announce even without a change: the call may be a retry after a failed announcement.
      await (given.disabled === undefined ? record() : announceStanding(accountId, record));
      return after;
    };
    return writeAgain(attempt, { busy: accountBusy });
  }

  return {
    async update(accountId, targetId, given, check): Promise<Account> {
      const target = await accounts.find(targetId);
      if (!target || (targetId !== accountId && target.directoryAccountId !== accountId)) throw notFound();
      checkChanges(accountId, targetId, given);
      return change(targetId, given, check);
    },
    setDisabled: (accountId: string, disabled: boolean): Promise<Account> => change(accountId, { disabled }),
  };
}

function checkChanges(accountId: string, targetId: string, given: AccountChanges): void {
  if (targetId !== accountId) {
    const foreign = namesOf(accountType, given).filter((name) => name !== 'disabled');
    const problems = foreign.map((name) => [name, 'can only be changed in the account itself']);
    if (foreign.length > 0) throw refuse(accountType, Object.fromEntries(problems) as Record<string, string>);
    return;
  }
  const errors: FieldError[] = [
    ...(given.disabled === undefined
      ? []
      : [['disabled', 'Only the directory account or the operator can disable an account'] as const]),
    ...(given.trusts?.some((trust) => trust.accountId === accountId)
      ? [['trusts', 'An account cannot name itself'] as const]
      : []),
  ];
  if (errors.length > 0) throw validationFailed(errors);
}

const changedAccount = (before: Account, given: AccountChanges, at: Date): Account => ({
  ...before,
  ...changedRecord(accountType, before, given),
  ...(given.disabled !== undefined && withDisabled(before, given.disabled, at)),
});

/** Names of the changed members, for the security log, and to skip a write without changes. */
const differences = (before: Account, after: Account, given: AccountChanges): string[] => [
  ...Object.keys(differing(accountType, before, given)),
  ...((before.disabledAt === null) === (after.disabledAt === null) ? [] : ['disabled']),
];

function eventOf(members: readonly string[], { disabledAt }: Account): AuditEvent {
  if (!members.includes('disabled')) return 'account.updated';
  return disabledAt ? 'account.disabled' : 'account.enabled';
}

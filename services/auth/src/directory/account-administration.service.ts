import { accountSaved } from '@itsm/shared/contracts/directory';
import { stale, writeAgain } from '@itsm/shared/base/concurrency/write-again';
import { notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import type { FieldError } from '@itsm/shared/base/errors/app-error';
import { parse } from '@itsm/shared/api/http/parse';
import { outboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { AuditEvent } from '../security/audit-event';
import type { Audit } from '../security/audit.service';
import { withDisabled } from './standing';
import type { PersonRepository } from './person.repository';
import type { Announce } from '../security/announce';
import { accountBusy, toAccountSaved } from './account';
import type { Account } from './account';
import { accountChange } from './account.input';
import type { AccountChange } from './account.input';
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
  update(accountId: string, targetId: string, input: unknown): Promise<Account>;
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
  async function write(before: Account, change: AccountChange): Promise<Account | undefined> {
    const after = { ...changed(before, change, now()), version: before.version + 1 };
    if (!(await accounts.save(after, [outboxEntry(accountSaved, toAccountSaved(after))], now()))) return undefined;
    nudge();
    return after;
  }

  /** Announces to this account and to the home accounts of people with roles in it, because their tokens may act here. */
  async function announceStanding(accountId: string, record: () => Promise<void>): Promise<void> {
    await announce([accountId, ...(await people.homesOf(accountId))], record);
  }

  function change(accountId: string, wanted: AccountChange): Promise<Account> {
    const attempt = async () => {
      const before = await accounts.find(accountId);
      if (!before) throw notFound();
      const members = differences(before, changed(before, wanted, now()));
      const after = members.length > 0 ? await write(before, wanted) : before;
      if (!after) return stale;
      const record = async (): Promise<void> => {
        if (members.length > 0) await audit.record(accountId, { event: eventOf(members, after), facts: { members } });
      };
      // Announce even without a change: the call may be a retry after a failed announcement.
      await (wanted.disabled === undefined ? record() : announceStanding(accountId, record));
      return after;
    };
    return writeAgain(attempt, { busy: accountBusy });
  }

  return {
    async update(accountId: string, targetId: string, input: unknown): Promise<Account> {
      const wanted = parse(accountChange, input);
      const target = await accounts.find(targetId);
      if (!target || (targetId !== accountId && target.directoryAccountId !== accountId)) throw notFound();
      refuse(targetId === accountId ? refusedOfItself(accountId, wanted) : refusedOfChild(wanted));
      return change(targetId, wanted);
    },
    setDisabled: (accountId: string, disabled: boolean): Promise<Account> => change(accountId, { disabled }),
  };
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw validationFailed(errors);
}

function refusedOfItself(accountId: string, { disabled, trusts }: AccountChange): FieldError[] {
  const self = trusts?.some((trust) => trust.accountId === accountId);
  return [
    ...(disabled === undefined
      ? []
      : [['disabled', 'Only the directory account or the operator can disable an account'] as const]),
    ...(self ? [['trusts', 'An account cannot name itself'] as const] : []),
  ];
}

const refusedOfChild = (wanted: AccountChange): FieldError[] =>
  Object.keys(wanted)
    .filter((member) => member !== 'disabled')
    .map((member) => [member, `${member} can only be changed in the account itself`]);

const changed = (before: Account, { disabled, secondFactorRequired, ...wanted }: AccountChange, at: Date): Account => ({
  ...before,
  ...(wanted.name !== undefined && { name: wanted.name }),
  ...(wanted.customUrl !== undefined && { customUrl: wanted.customUrl }),
  ...(wanted.trusts && { trusts: wanted.trusts }),
  ...(secondFactorRequired !== undefined && { secondFactorRequired }),
  ...(disabled !== undefined && withDisabled(before, disabled, at)),
});

function differences(before: Account, after: Account): string[] {
  const members = ['name', 'customUrl', 'trusts', 'secondFactorRequired'] as const;
  const differ = members.filter((member) => JSON.stringify(before[member]) !== JSON.stringify(after[member]));
  return [...differ, ...((before.disabledAt === null) === (after.disabledAt === null) ? [] : ['disabled'])];
}

function eventOf(members: readonly string[], { disabledAt }: Account): AuditEvent {
  if (!members.includes('disabled')) return 'account.updated';
  return disabledAt ? 'account.disabled' : 'account.enabled';
}

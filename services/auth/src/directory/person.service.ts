import { stale, writeAgain } from '@itsm/shared/base/concurrency/write-again';
import { AppError, notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import type { Role } from '@itsm/shared/contracts/directory';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import type { Clock } from '@itsm/shared/base/time/clock';
import { withDisabled } from './standing';
import type { Audit } from '../security/audit.service';
import type { Passwords } from './password';
import { checkPassword } from './password-rules';
import type { Announce } from '../security/announce';
import type { Person } from './person';
import { personBusy } from './person';
import type { AccountRepository } from './account.repository';
import type { PersonRepository } from './person.repository';
import type { SavePerson } from './save-person';

export interface PersonInput {
  readonly name: string;
  readonly primaryEmail: string;
  readonly password: string;
  readonly roles: readonly Role[];
  readonly locale?: string;
  readonly timeZone?: string;
  readonly authenticationId?: string | null;
  readonly sourceID?: string | null;
}

interface Dependencies {
  readonly people: PersonRepository;
  readonly accounts: Pick<AccountRepository, 'find'>;
  readonly passwords: Passwords;
  readonly sequence: Sequence;
  readonly savePerson: SavePerson;
  readonly announce: Announce;
  readonly audit: Audit;
  readonly now: Clock;
}

export interface PersonService {
  /**
   * Creates or updates the person with this address and sets the password. The address counts as verified; roles are
   * only added. Idempotent.
   */
  ensure(accountId: string, input: PersonInput): Promise<{ readonly id: number }>;
  /** Adds roles in `inAccountId` to a person of `accountId`; a 404 for an unknown address. */
  giveRoles(
    accountId: string,
    email: string,
    inAccountId: string,
    roles: readonly Role[],
  ): Promise<{ readonly id: number; readonly name: string }>;
  /**
   * Sets the password; the address then counts as verified. A 404 for an unknown address, a 422 for a password that
   * `password-rules` refuses.
   */
  setPassword(accountId: string, email: string, text: string): Promise<void>;
  /** When it returns, none of the person's tokens and sessions is accepted. */
  disable(accountId: string, id: number): Promise<void>;
}

export function createPersonService(dependencies: Dependencies): PersonService {
  const { people, accounts, passwords, sequence, savePerson, announce, audit, now } = dependencies;

  async function checkAuthenticationId(accountId: string, { authenticationId }: PersonInput, before?: Person) {
    if (authenticationId == null) return;
    const holder = await people.findByAuthenticationId(accountId, authenticationId);
    if (holder && holder.id !== before?.id) {
      throw validationFailed([['authentication_id', 'Authentication ID is already in use']]);
    }
  }

  return {
    async ensure(accountId: string, input: PersonInput): Promise<{ id: number }> {
      checkPassword(input.password, input, await accounts.find(accountId));
      const password = await passwords.hash(input.password);
      const attempt = async () => {
        const before = await people.findByEmail(accountId, input.primaryEmail);
        await checkAuthenticationId(accountId, input, before);
        const id = before?.id ?? (await sequence.next('person'));
        const person = { ...changed(accountId, id, before, input, now()), password };
        if (!(await savePerson.withoutEvent(person))) return stale;
        const record = () => audit.record(accountId, { event: before ? 'person.updated' : 'person.created', person });
        // Roles change what tokens may do, so announce it.
        await (before ? announce([accountId], record) : record());
        return { id };
      };
      return writeAgain(attempt, { busy: personBusy });
    },
    giveRoles(
      accountId: string,
      email: string,
      inAccountId: string,
      roles: readonly Role[],
    ): Promise<{ id: number; name: string }> {
      const attempt = async () => {
        const before = await people.findByEmail(accountId, email);
        if (!before) throw notFound();
        const held = before.roles[inAccountId] ?? [];
        if (roles.every((role) => held.includes(role))) return before;
        const given = { ...before.roles, [inAccountId]: union(held, roles) };
        const person = { ...before, roles: given, updatedAt: now(), version: before.version + 1 };
        if (!(await savePerson.withoutEvent(person))) return stale;
        const entry = { event: 'person.updated', person, facts: { members: ['roles'] }, alsoIn: inAccountId } as const;
        await announce([accountId], () => audit.record(accountId, entry));
        return person;
      };
      return writeAgain(attempt, { busy: personBusy });
    },
    async setPassword(accountId: string, email: string, text: string): Promise<void> {
      const owner = await people.findByEmail(accountId, email);
      if (!owner) throw notFound();
      checkPassword(text, owner, await accounts.find(accountId));
      const password = await passwords.hash(text);
      const attempt = async () => {
        const person = await people.findByEmail(accountId, email);
        if (!person) throw notFound();
        const changed = { password, verified: true, updatedAt: now(), version: person.version + 1 };
        if (!(await savePerson.withoutEvent({ ...person, ...changed }))) return stale;
        const facts = { members: ['password'] };
        // A new password ends the sessions and their tokens, so announce it.
        return announce([accountId], () => audit.record(accountId, { event: 'person.updated', person, facts }));
      };
      return writeAgain(attempt, { busy: personBusy });
    },
    async disable(accountId: string, id: number): Promise<void> {
      const person = await people.find(accountId, id);
      if (!person) throw notFound();
      const at = now();
      const after = { ...person, ...withDisabled(person, true, at), updatedAt: at, version: person.version + 1 };
      if (!person.disabledAt && !(await savePerson.withoutEvent(after))) {
        throw new AppError('conflict', 'The person was changed by another caller');
      }
      await announce([accountId], () => audit.record(accountId, { event: 'person.disabled', person }));
    },
  };
}

const union = (held: readonly Role[], more: readonly Role[]): Role[] => [...new Set([...held, ...more])];

const changed = (accountId: string, id: number, before: Person | undefined, input: PersonInput, at: Date): Person => ({
  id,
  accountId,
  name: input.name,
  primaryEmail: input.primaryEmail.trim(),
  verified: true,
  authenticationId: input.authenticationId ?? before?.authenticationId ?? null,
  source: before?.source ?? null,
  sourceID: input.sourceID ?? before?.sourceID ?? null,
  roles: { ...before?.roles, [accountId]: union(before?.roles[accountId] ?? [], input.roles) },
  locale: input.locale ?? before?.locale ?? 'en',
  timeZone: input.timeZone ?? before?.timeZone ?? 'UTC',
  ...withDisabled(before ?? { disabledAt: null, enabledAt: null }, false, at),
  password: null,
  createdAt: before?.createdAt ?? at,
  updatedAt: at,
  version: (before?.version ?? 0) + 1,
});

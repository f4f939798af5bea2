import { stale, writeAgain } from '@itsm/shared/base/concurrency/write-again';
import { AppError, notFound } from '@itsm/shared/base/errors/app-error';
import type { Role } from '@itsm/shared/contracts/directory';
import { refuse } from '@itsm/shared/declared/read-input';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import type { Clock } from '@itsm/shared/base/time/clock';
import { withDisabled } from './standing';
import type { Audit } from '../security/audit.service';
import type { Passwords } from './password';
import { checkPassword } from './password-rules';
import type { Announce } from '../security/announce';
import { personBusy, personType } from './person';
import type { Person, PersonChanges } from './person';
import { newPerson } from './person-changes';
import type { AccountRepository } from './account.repository';
import type { PersonRepository } from './person.repository';
import type { SavePerson } from './save-person';

/** What is absent or null does not change; for a new person it is the default. */
export type PersonInput = Omit<PersonChanges, 'roles' | 'disabled'> & {
  readonly name: string;
  readonly primaryEmail: string;
  readonly password: string;
  readonly roles: readonly Role[];
};

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

  async function checkAuthenticationId(accountId: string, { authenticationID }: PersonInput, before?: Person) {
    if (authenticationID == null) return;
    const holder = await people.findByAuthenticationId(accountId, authenticationID);
    if (holder && holder.id !== before?.id) throw refuse(personType, { authenticationID: 'is already in use' });
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

function changed(accountId: string, id: number, before: Person | undefined, input: PersonInput, at: Date): Person {
  const { password: _password, roles, ...members } = input;
  const given = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
  const former = before ?? { ...newPerson(accountId, id, given, at), version: 0 };
  return {
    ...former,
    ...given,
    primaryEmail: input.primaryEmail.trim(),
    verified: true,
    roles: { ...former.roles, [accountId]: union(former.roles[accountId] ?? [], roles) },
    ...withDisabled(former, false, at),
    updatedAt: at,
    version: former.version + 1,
  };
}

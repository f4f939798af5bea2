import { stale, writeAgain } from '@itsm/shared/base/concurrency/write-again';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { MailQueue } from '../mails/mail-queue';
import type { Announce } from '../security/announce';
import type { Audit } from '../security/audit.service';
import type { AccountRepository } from './account.repository';
import type { PasswordHash, Passwords } from './password';
import { checkPassword } from './password-rules';
import { emailKeyOf, personBusy } from './person';
import type { Person } from './person';
import type { PersonRepository } from './person.repository';
import type { SavePerson } from './save-person';

interface Dependencies {
  readonly people: PersonRepository;
  readonly accounts: Pick<AccountRepository, 'find'>;
  readonly passwords: Passwords;
  readonly savePerson: SavePerson;
  readonly mails: MailQueue;
  readonly announce: Announce;
  readonly audit: Audit;
  readonly now: Clock;
}

/** The condition of the write, checked against the stored person. */
type Allows = (person: Person) => boolean;

interface PasswordChange {
  readonly text: string;
  /** How the person authenticated, for the security log. */
  readonly because: string;
  /** Whether this authentication also proves the e-mail address. */
  readonly verifies: boolean;
  readonly allows: Allows;
}

/** Changes to a person's own credentials. Each returns the changed person, or undefined when `allows` is false. */
export interface PersonCredentials {
  /**
   * Sets the password. Ends all sessions of the person, with their tokens, and all mailed links. A 422 for a password
   * that `password-rules` refuses.
   */
  setPassword(accountId: string, id: number, change: PasswordChange): Promise<Person | undefined>;
  /** Makes `address` the verified address of the person, unless another person of the account has it. */
  verifyAddress(accountId: string, id: number, address: string, allows: Allows): Promise<Person | undefined>;
}

export function createPersonCredentials(dependencies: Dependencies): PersonCredentials {
  const { people, accounts, passwords, savePerson, mails, announce, audit, now } = dependencies;

  const succeed = (person: Person, changed: Partial<Person>): Person => ({
    ...person,
    ...changed,
    updatedAt: now(),
    version: person.version + 1,
  });

  async function replacePassword(accountId: string, id: number, password: PasswordHash, change: PasswordChange) {
    const { allows, verifies, because } = change;
    const person = await people.find(accountId, id);
    if (!person || !allows(person)) return undefined;
    const after = succeed(person, { password, verified: person.verified || verifies });
    const address = after.primaryEmail;
    const notice = { kind: 'password-notice', accountId, personId: id, version: after.version, address } as const;
    if (!(await mails.orderWith([notice], () => savePerson.withoutEvent(after)))) return stale;
    // A new password ends the sessions and their tokens, so announce it.
    await announce([accountId], async () => {
      await audit.record(accountId, { event: 'password.changed', person: after, actor: after, facts: { because } });
      if (!person.verified && verifies)
        await audit.record(accountId, { event: 'address.verified', person: after, actor: after });
    });
    return after;
  }

  return {
    async setPassword(accountId, id, change) {
      const owner = await people.find(accountId, id);
      if (!owner || !change.allows(owner)) return undefined;
      checkPassword(change.text, owner, await accounts.find(accountId));
      const password = await passwords.hash(change.text);
      return writeAgain(() => replacePassword(accountId, id, password, change), { busy: personBusy });
    },
    verifyAddress(accountId, id, address, allows) {
      const attempt = async () => {
        const person = await people.find(accountId, id);
        if (!person || !allows(person)) return undefined;
        const holder = await people.findByEmail(accountId, address);
        if (holder && holder.id !== id) return undefined;
        const isNew = emailKeyOf(address) !== emailKeyOf(person.primaryEmail);
        const after = succeed(person, { ...(isNew && { primaryEmail: address }), verified: true });
        const actor = { personId: id, name: person.name };
        if (!(await (isNew ? savePerson.withEvent('person.update', actor, after) : savePerson.withoutEvent(after))))
          return stale;
        await audit.record(accountId, { event: 'address.verified', person: after, actor: after });
        return after;
      };
      return writeAgain(attempt, { busy: personBusy });
    },
  };
}

import { validationFailed } from '@itsm/shared/base/errors/app-error';
import { readForm } from '@itsm/shared/declared/read-input';
import type { Passwords } from '../directory/password';
import { emailKeyOf, personType } from '../directory/person';
import type { Person } from '../directory/person';
import type { PersonCredentials } from '../directory/person-credentials.service';
import type { PersonRepository } from '../directory/person.repository';
import type { MailQueue } from '../mails/mail-queue';
import type { Attempts } from '../security/attempts';
import type { Audit } from '../security/audit.service';

interface Dependencies {
  readonly people: PersonRepository;
  readonly passwords: Passwords;
  readonly credentials: PersonCredentials;
  readonly queue: MailQueue;
  readonly attempts: Attempts;
  readonly audit: Audit;
}

export type CredentialOutcome<T> =
  | { readonly kind: 'done'; readonly done: T }
  | { readonly kind: 'wrong password' }
  | { readonly kind: 'throttled'; readonly seconds: number };

/** Changes of a person's own password or address, which need the present password. */
export interface OwnCredentials {
  /** Returns the changed person, whose sessions have ended. A 422 for a refused password. */
  changePassword(person: Person, current: string, text: string): Promise<CredentialOutcome<Person>>;
  /** Mails a link to the new address; the address changes when the link is followed. */
  askForAddress(person: Person, current: string, address: string): Promise<CredentialOutcome<string>>;
}

export function createOwnCredentials(dependencies: Dependencies): OwnCredentials {
  const { people, passwords, credentials, queue, attempts, audit } = dependencies;

  /** Failures are counted as at sign-in, so that a stolen session cannot be used to guess the password. */
  async function confirm(person: Person, current: string): Promise<'right' | CredentialOutcome<never>> {
    const key = `own password ${person.id}`;
    const seconds = await attempts.countOrWait(key, 'person');
    if (seconds > 0) return { kind: 'throttled', seconds };
    if (!(await passwords.verifyOwn(person, current))) return { kind: 'wrong password' };
    await attempts.forget(key);
    return 'right';
  }

  async function checkAddress(person: Person, given: string): Promise<string> {
    const { primaryEmail: address = '' } = readForm(personType, 'update', { primaryEmail: given });
    if (person.verified && emailKeyOf(address) === emailKeyOf(person.primaryEmail))
      throw validationFailed([['primaryEmail', 'This is already your address']]);
    const holder = await people.findByEmail(person.accountId, address);
    if (holder && holder.id !== person.id)
      throw validationFailed([['primaryEmail', 'Primary email is already in use']]);
    return address;
  }

  return {
    async changePassword(person, current, text) {
      const confirmed = await confirm(person, current);
      if (confirmed !== 'right') return confirmed;
      const allows = (now: Person) => !now.disabledAt && now.password?.salt === person.password?.salt;
      const change = { text, because: 'by the person', verifies: false, allows };
      const done = await credentials.setPassword(person.accountId, person.id, change);
      return done ? { kind: 'done', done } : { kind: 'wrong password' };
    },
    async askForAddress(person, current, given) {
      const confirmed = await confirm(person, current);
      if (confirmed !== 'right') return confirmed;
      const address = await checkAddress(person, given);
      const seconds = await attempts.countOrWait(`mail person ${person.id}`, 'mail');
      if (seconds > 0) return { kind: 'throttled', seconds };
      const { accountId, id: personId, version } = person;
      const about = { accountId, personId, version };
      await audit.record(accountId, { event: 'person.link_asked', person });
      await queue.order({ ...about, kind: 'new-address', address });
      if (person.verified) await queue.order({ ...about, kind: 'address-notice', address: person.primaryEmail });
      return { kind: 'done', done: address };
    },
  };
}

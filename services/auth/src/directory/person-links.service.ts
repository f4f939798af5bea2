import { AppError, forbidden, notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import type { MailKind } from '../mails/mail-order';
import type { Mails } from '../mails/module';
import type { Attempts } from '../security/attempts';
import type { Audit } from '../security/audit.service';
import type { Person } from './person';
import { administersAny, isAdministrator } from './person-access';
import type { Editor } from './person-access';
import type { PersonRepository } from './person.repository';

interface Dependencies {
  readonly people: PersonRepository;
  readonly mails: Pick<Mails, 'queue' | 'areSent'>;
  readonly attempts: Attempts;
  readonly audit: Audit;
}

/**
 * Links that administrators have mailed to people of their account. A 404 for a person of another account, a 422 for one
 * who cannot use the link, a 429 when one person was sent too many.
 */
export interface PersonLinks {
  /** A new link to choose the first password, or to verify the address. */
  invite(accountId: string, editor: Editor, id: number): Promise<Person>;
  /** A link to choose another password; the present one works until then. */
  resetPassword(accountId: string, editor: Editor, id: number): Promise<Person>;
}

/** Whether the person has to follow a link before they can sign in. */
export const needsLink = ({ verified, password, disabledAt }: Person): boolean =>
  !disabledAt && (!verified || password === null);

/** A reset needs an existing password and a verified address. */
export const canReset = ({ verified, password, disabledAt }: Person): boolean =>
  verified && password !== null && !disabledAt;

export function createPersonLinks({ people, mails, attempts, audit }: Dependencies): PersonLinks {
  const { queue, areSent } = mails;

  async function send(accountId: string, editor: Editor, id: number, kind: MailKind, refusal: Refusal) {
    const person = await people.find(accountId, id);
    if (!person) throw notFound();
    if (administersAny(person) && !isAdministrator(editor))
      throw forbidden('Only an account administrator can do this for an administrator');
    const problem = areSent ? refusal(person) : 'This installation sends no mails: its operator makes links';
    if (problem !== undefined) throw validationFailed([['id', problem]]);
    const seconds = await attempts.countOrWait(`mail person ${id}`, 'mail');
    if (seconds > 0) throw tooMany(seconds);
    const { version, primaryEmail: address } = person;
    await audit.record(accountId, { event: 'person.link_asked', person });
    const order = { kind, accountId, personId: id, version, address };
    await (kind === 'reset' ? queue.orderReset(order) : queue.order(order));
    return person;
  }

  return {
    invite: (accountId, editor, id) =>
      send(accountId, editor, id, 'address', (person) =>
        needsLink(person) ? undefined : `${person.name} needs no link`,
      ),
    resetPassword: (accountId, editor, id) =>
      send(accountId, editor, id, 'reset', (person) =>
        canReset(person) ? undefined : `${person.name} has no password to reset, or a disabled or unverified address`,
      ),
  };
}

type Refusal = (person: Person) => string | undefined;

const tooMany = (seconds: number): AppError => {
  const minutes = Math.ceil(seconds / 60);
  return new AppError(
    'too_many_requests',
    `Several links were sent to this person just now. You can send the next one in ${minutes} minutes.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
};

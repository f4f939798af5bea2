import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Mail } from '@itsm/shared/outbound/mail/mail';
import type { Post } from '@itsm/shared/outbound/mail/post';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Account } from '../directory/account';
import type { AccountRepository } from '../directory/account.repository';
import { emailKeyOf } from '../directory/person';
import type { Person } from '../directory/person';
import { canReset } from '../directory/person-links.service';
import type { PersonRepository } from '../directory/person.repository';
import type { MailKind, MailOrder } from '../mails/mail-order';
import type { Deliver, MailQueue } from '../mails/mail-queue';
import type { Attempts } from '../security/attempts';
import type { AuditEvent } from '../security/audit-event';
import type { Audit } from '../security/audit.service';
import { addressNotice, invitationMail, passwordNotice, resetMail, verificationMail } from './link-mails';
import type { MailedLinkService } from './mailed-link.service';

interface Dependencies {
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
  readonly links: MailedLinkService;
  readonly queue: MailQueue;
  readonly post: Post;
  /** Whether there is a mail server; without one no links are created. */
  readonly areSent: boolean;
  readonly attempts: Attempts;
  readonly audit: Audit;
  readonly logger: Logger;
  readonly now: Clock;
}

interface Subject {
  readonly order: MailOrder;
  readonly person: Person;
  readonly account: Account;
}

type LinkKind = Extract<MailKind, 'address' | 'new-address' | 'reset'>;

/** How long to wait for the write that an order belongs to. After that the write has failed. */
const writeMilliseconds = 10_000;
const lostMilliseconds = 10 * 60_000;
/** Most people with one address who get a reset mail each. */
const mostPeople = 20;

/** Sends a mail, if its reason still holds at that time. */
export function createDeliverMail(dependencies: Dependencies): Deliver {
  const { people, accounts, links, queue, post, areSent, attempts, audit, logger, now } = dependencies;
  const later = (milliseconds: number): Date => new Date(now().getTime() + milliseconds);

  const send = ({ order: { id, address }, person, account }: Subject, toMail: (about: AboutMail) => Mail) =>
    post.send(person.accountId, `person:${person.id}`, toMail({ id, to: address, person, account }));
  const note = (event: AuditEvent, { person }: Subject, because: string) =>
    audit.record(person.accountId, { event, person, facts: { because } });

  /** Depending on the state of the person: an invitation, a link to verify the address, or nothing. */
  async function sendAddressLink(subject: Subject): Promise<void> {
    const { order, person } = subject;
    if (!isFor(order, person)) return;
    if (!person.password) {
      const link = await links.make(person, 'password', 'invitation');
      await send(subject, (about) => invitationMail(about, link));
      await note('password.link_sent', subject, 'invitation');
    } else if (!person.verified) {
      const link = await links.make(person, 'address', 'address');
      await send(subject, (about) => verificationMail(about, link));
      await note('address.link_sent', subject, 'the address is new');
    }
  }

  async function sendNewAddressLink(subject: Subject): Promise<void> {
    const link = await links.make(subject.person, 'address', 'address', subject.order.address);
    await send(subject, (about) => verificationMail(about, link));
    await note('address.link_sent', subject, 'the person wants another address');
  }

  async function sendReset(subject: Subject): Promise<void> {
    const { order, person } = subject;
    if (!canReset(person) || !isFor(order, person)) return;
    const link = await links.make(person, 'password', 'reset');
    await send(subject, (about) => resetMail(about, link));
    await note('password.link_sent', subject, 'forgotten password');
  }

  /** Orders a mail for each person with the address. */
  async function spread({ id, address }: MailOrder): Promise<void> {
    for (const person of await people.listByEmail(address, mostPeople)) {
      if (!canReset(person)) continue;
      const { accountId, version } = person;
      const order = { kind: 'reset', accountId, personId: person.id, version, address: person.primaryEmail } as const;
      const seconds = await attempts.countOrWait(`mail person ${person.id}`, 'mail');
      if (seconds === 0) await queue.orderReset(order, `${id}-${person.id}`);
      else logger.info('mails to one address throttled', { accountId, personId: person.id, seconds });
    }
  }

  const senders = {
    address: sendAddressLink,
    'new-address': sendNewAddressLink,
    reset: sendReset,
    'address-notice': (subject: Subject) => send(subject, addressNotice),
    // Only to a verified address. The notice of a new address goes to the previous one, if that was verified.
    'password-notice': async (subject: Subject) => {
      if (subject.person.verified) await send(subject, passwordNotice);
    },
  } as const;

  /** Links to one address are limited; an accepted order waits for its turn. */
  async function sendLink(kind: LinkKind, subject: Subject): Promise<Date | undefined> {
    const key = `mail to ${emailKeyOf(subject.order.address)}`;
    const seconds = (await attempts.secondsLeft(key)) ?? 0;
    if (seconds > 0) return later(seconds * 1000);
    await senders[kind](subject);
    await attempts.countOrWait(key, 'mail');
    return undefined;
  }

  return async (order) => {
    const { kind, accountId, personId } = order;
    if (kind === 'reset-request') {
      await spread(order);
      return undefined;
    }
    const [person, account] = await Promise.all([people.find(accountId, personId), accounts.find(accountId)]);
    if (!person || person.version < order.version) {
      return now().getTime() - order.createdAt.getTime() < lostMilliseconds ? later(writeMilliseconds) : undefined;
    }
    if (!account || account.disabledAt || person.disabledAt) return undefined;
    const subject = { order, person, account };
    if (kind === 'address-notice' || kind === 'password-notice') await senders[kind](subject);
    else if (areSent) return sendLink(kind, subject);
    else logger.info('no mail server: the operator makes a link with make-link', { accountId, personId, kind });
    return undefined;
  };
}

const isFor = ({ address }: MailOrder, { primaryEmail }: Person): boolean =>
  emailKeyOf(address) === emailKeyOf(primaryEmail);

type AboutMail = Parameters<typeof passwordNotice>[0];

import type { Mail } from '@itsm/shared/outbound/mail/mail';
import { nameInMail } from '@itsm/shared/outbound/mail/name-in-mail';
import type { Account } from '../directory/account';
import type { Person } from '../directory/person';
import type { SentLink } from './mailed-link.service';

interface About {
  /** The id of the order, the same at every attempt. */
  readonly id: string;
  readonly to: string;
  readonly person: Person;
  readonly account: Account;
}

type LinkMail = (about: About, link: SentLink) => Mail;

const accountIn = ({ name, id }: Account): string => (name === id ? id : `${nameInMail(name)} (${id})`);

const mail = ({ id, to }: About, subject: string, paragraphs: readonly string[]): Mail => ({
  id,
  to: [to],
  subject,
  text: `${paragraphs.join('\n\n')}\n`,
});

const withLink =
  (subject: (about: About) => string, before: (about: About) => string, after: string): LinkMail =>
  (about, { url, token, expiresAt }) => ({
    ...mail(about, subject(about), [
      `Hello ${nameInMail(about.person.name)},`,
      before(about),
      url,
      `The link works once, until ${moments.format(expiresAt)} UTC.`,
      after,
    ]),
    secret: token,
  });

const moments = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

export const invitationMail = withLink(
  ({ account }) => `Your access to ${nameInMail(account.name)}`,
  ({ account }) =>
    `an administrator of the account ${accountIn(account)} has given you access to Service Management. To sign in with this e-mail address, first choose a password:`,
  'If you did not expect this, ignore this mail: without a password nobody can sign in.',
);

export const verificationMail = withLink(
  () => 'Please verify your e-mail address',
  // Without the address: an administrator may have put words or a domain into its local part.
  ({ account }) =>
    `the address to which this mail was sent was entered as yours in the account ${accountIn(account)} of Service Management. Please verify it:`,
  'If this is not you, ignore this mail: the address is not used until it is verified.',
);

export const resetMail = withLink(
  () => 'Choose a new password',
  ({ account }) =>
    `somebody, presumably you, requested a new password for the account ${accountIn(account)} of Service Management. Choose it here:`,
  'If it was not you, ignore this mail: your password stays unchanged.',
);

export const passwordNotice = (about: About): Mail =>
  mail(about, 'Your password was changed', [
    `Hello ${nameInMail(about.person.name)},`,
    `your password for the account ${accountIn(about.account)} of Service Management was changed, and you were signed out everywhere else.`,
    'If it was not you, choose a new one with "Forgot your password?" on the sign-in page, and tell your administrator.',
  ]);

export const addressNotice = (about: About): Mail =>
  mail(about, 'Your e-mail address is being changed', [
    `Hello ${nameInMail(about.person.name)},`,
    `your address in the account ${accountIn(about.account)} of Service Management is being changed from this one to another.`,
    'If you do not know why, tell your administrator.',
  ]);

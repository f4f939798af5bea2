import type { Account } from '../directory/account';
import { emailKeyOf } from '../directory/person';
import type { Person } from '../directory/person';
import { vouchesFor } from '../directory/standing';

/** What a link is for: to choose a password, or to verify an address. Either shows that the person reads mails to `address`. */
export type LinkPurpose = 'password' | 'address';

/** A link that was mailed, or given by the operator; only the digest of its token is stored. */
export interface MailedLink {
  readonly digest: string;
  readonly purpose: LinkPurpose;
  readonly accountId: string;
  readonly personId: number;
  /** Where it was sent. */
  readonly address: string;
  /** The address and the password that the person had: the link ends with either. */
  readonly emailKey: string;
  readonly passwordSalt: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const hour = 3_600_000;
const day = 24 * hour;

/** How long a link is good for: one that somebody asked for is followed soon, others wait for people who are away. */
export const lifetimes = { invitation: 7 * day, address: 7 * day, operator: day, reset: hour } as const;
export type LinkLifetime = keyof typeof lifetimes;

interface NewLink {
  readonly digest: string;
  readonly purpose: LinkPurpose;
  readonly address: string;
  readonly lifetime: LinkLifetime;
}

export const newMailedLink = (person: Person, { lifetime, ...link }: NewLink, now: Date): MailedLink => ({
  ...link,
  accountId: person.accountId,
  personId: person.id,
  emailKey: emailKeyOf(person.primaryEmail),
  passwordSalt: person.password?.salt ?? null,
  createdAt: now,
  expiresAt: new Date(now.getTime() + lifetimes[lifetime]),
});

/** Whether the person is still the one that the link was made for. */
export function countsFor(link: MailedLink, person: Person): boolean {
  const { purpose, address, emailKey, passwordSalt, createdAt } = link;
  const isSame = emailKeyOf(person.primaryEmail) === emailKey && (person.password?.salt ?? null) === passwordSalt;
  const isDone = purpose === 'address' && person.verified && emailKeyOf(address) === emailKey;
  return isSame && !isDone && vouchesFor(person, createdAt);
}

/** Whether a link can be used at `now`. */
export const isOpen = (link: MailedLink, person: Person, account: Account, now: Date): boolean =>
  link.expiresAt > now && vouchesFor(account, link.createdAt) && countsFor(link, person);

import type { Account } from '../directory/account';
import { emailKeyOf } from '../directory/person';
import type { Person } from '../directory/person';
import { vouchesFor } from '../directory/standing';

/** The purpose of a link: to choose a password, or to verify an address. Both prove that the person owns `address`. */
export type LinkPurpose = 'password' | 'address';

/** A link that was mailed, or made by the operator; only the digest of its token is stored. */
export interface MailedLink {
  readonly digest: string;
  readonly purpose: LinkPurpose;
  readonly accountId: string;
  readonly personId: number;
  /** Where it was sent. */
  readonly address: string;
  /** The address and the password of the person when it was made; a change of either invalidates the link. */
  readonly emailKey: string;
  readonly passwordSalt: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const hour = 3_600_000;
const day = 24 * hour;

/** How long a link is valid. A requested one is followed soon; the others may have to wait for people who are away. */
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

/** Whether the person has the same address and password as when the link was made. */
export function countsFor(link: MailedLink, person: Person): boolean {
  const { purpose, address, emailKey, passwordSalt, createdAt } = link;
  const isSame = emailKeyOf(person.primaryEmail) === emailKey && (person.password?.salt ?? null) === passwordSalt;
  const isDone = purpose === 'address' && person.verified && emailKeyOf(address) === emailKey;
  return isSame && !isDone && vouchesFor(person, createdAt);
}

/** Whether a link can be used at `now`. */
export const isOpen = (link: MailedLink, person: Person, account: Account, now: Date): boolean =>
  link.expiresAt > now && vouchesFor(account, link.createdAt) && countsFor(link, person);

import { createOpaqueToken, digestOf, kindOf } from '@itsm/shared/base/ids/opaque-token';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Account } from '../directory/account';
import type { AccountRepository } from '../directory/account.repository';
import type { Person } from '../directory/person';
import type { PersonCredentials } from '../directory/person-credentials.service';
import type { PersonRepository } from '../directory/person.repository';
import { checkPassword } from '../directory/password-rules';
import { countsFor, isOpen, newMailedLink } from './mailed-link';
import type { LinkLifetime, LinkPurpose, MailedLink } from './mailed-link';
import type { MailedLinkRepository } from './mailed-link.repository';

interface Dependencies {
  readonly links: MailedLinkRepository;
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
  readonly credentials: PersonCredentials;
  readonly baseUrl: string;
  readonly now: Clock;
}

/** What a link leads to. */
export interface OpenLink {
  readonly link: MailedLink;
  readonly person: Person;
  readonly account: Account;
}

/** A link as it is sent; `token` is the secret in `url`. */
export interface SentLink {
  readonly url: string;
  readonly token: string;
  readonly expiresAt: Date;
}

export interface MailedLinkService {
  make(person: Person, purpose: LinkPurpose, lifetime: LinkLifetime, address?: string): Promise<SentLink>;
  /** Undefined when the link was used, has expired, or does not exist. Changes nothing. */
  open(token: string, purpose: LinkPurpose): Promise<OpenLink | undefined>;
  /** Uses the link; false when it cannot be used. A 422 for a refused password; the link can then be used again. */
  choosePassword(token: string, password: string): Promise<boolean>;
  verifyAddress(token: string): Promise<boolean>;
}

export const linkPaths: Readonly<Record<LinkPurpose, string>> = {
  password: '/oauth/choose-password',
  address: '/oauth/verify-address',
};

export function createMailedLinkService(dependencies: Dependencies): MailedLinkService {
  const { links, people, accounts, credentials, baseUrl, now } = dependencies;

  async function open(token: string, purpose: LinkPurpose): Promise<OpenLink | undefined> {
    const link = kindOf(token) === 'ml' ? await links.find(digestOf(token)) : undefined;
    if (link?.purpose !== purpose) return undefined;
    const [person, account] = await Promise.all([
      people.find(link.accountId, link.personId),
      accounts.find(link.accountId),
    ]);
    return person && account && isOpen(link, person, account, now()) ? { link, person, account } : undefined;
  }

  return {
    async make(person, purpose, lifetime, address = person.primaryEmail) {
      const token = createOpaqueToken('ml');
      const link = newMailedLink(person, { digest: digestOf(token), purpose, address, lifetime }, now());
      await links.insert(link);
      return { url: `${baseUrl}${linkPaths[purpose]}?token=${token}`, token, expiresAt: link.expiresAt };
    },
    open,
    async choosePassword(token, text) {
      const opened = await open(token, 'password');
      if (!opened) return false;
      const { link, person, account } = opened;
      checkPassword(text, person, account);
      if (!(await links.take(link.digest))) return false;
      const allows = (current: Person) => countsFor(link, current);
      const change = { text, because: 'by a mailed link', verifies: true, allows };
      return (await credentials.setPassword(link.accountId, link.personId, change)) !== undefined;
    },
    async verifyAddress(token) {
      const opened = await open(token, 'address');
      if (!opened) return false;
      const { link } = opened;
      if (!(await links.take(link.digest))) return false;
      const allows = (current: Person) => countsFor(link, current);
      return (await credentials.verifyAddress(link.accountId, link.personId, link.address, allows)) !== undefined;
    },
  };
}

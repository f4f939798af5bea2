import { exercise } from '@itsm/shared/testing/store-commands';
import type { Exercise } from '@itsm/shared/testing/store-commands';
import type { Connection } from 'mongoose';
import type { MailedLink } from '../../mailed-links/mailed-link';
import { createMailedLinkRepository } from '../../mailed-links/mailed-link.repository';
import { account, digest, later, moment, plain, sample } from './sample';

/** A sample of each collection of `mailed-links/`, as it is stored: the `n`-th. */
export const documents = {
  mailed_links: (n: number) => ({
    _id: digest('link', n),
    purpose: 'password',
    accountId: account,
    personId: n,
    address: `p${n}@wdc.example`,
    emailKey: `p${n}@wdc.example`,
    passwordSalt: null,
    createdAt: moment(n),
    expiresAt: later,
  }),
};

/** One sample call for each method of each repository of `mailed-links/`. */
export const exercises = (connection: Connection): Exercise[] => [
  exercise('createMailedLinkRepository', createMailedLinkRepository(connection), {
    insert: (links) => links.insert({ ...(plain(documents.mailed_links) as MailedLink), digest: 'new' }),
    find: (links) => links.find(digest('link', sample)),
    take: (links) => links.take(digest('link', sample)),
  }),
];

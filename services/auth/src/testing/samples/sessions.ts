import { exercise } from '@itsm/shared/testing/store-commands';
import type { Exercise } from '@itsm/shared/testing/store-commands';
import type { Connection } from 'mongoose';
import type { Session } from '../../sessions/session';
import { createSessionRepository } from '../../sessions/session.repository';
import { account, digest, later, moment, now, plain, sample } from './sample';

/** A sample of each collection of `sessions/`, as it is stored: the `n`-th. */
export const documents = {
  sessions: (n: number) => ({
    _id: digest('session', n),
    accountId: account,
    personId: n,
    passwordSalt: null,
    createdAt: moment(n),
    lastSeenAt: moment(n),
    authenticatedAt: moment(n),
    browser: 'Firefox 144 on Linux',
    ip: '203.0.113.7',
    expiresAt: later,
  }),
};

/** One sample call for each method of each repository of `sessions/`. */
export const exercises = (connection: Connection): Exercise[] => [
  exercise('createSessionRepository', createSessionRepository(connection), {
    find: (sessions) => sessions.find(digest('session', sample)),
    insert: (sessions) => sessions.insert({ ...(plain(documents.sessions) as Session), id: 'new', digest: 'new' }),
    list: (sessions) => sessions.list(account, sample, 100),
    touch: (sessions) => sessions.touch(digest('session', sample), { lastSeenAt: now, ip: null }),
    vouch: (sessions) => sessions.vouch(digest('session', sample), now),
    renew: (sessions) => sessions.renew(digest('session', sample + 1), 'renewed', now, true),
    prove: (sessions) => sessions.prove(digest('session', sample)),
    deleteOf: (sessions) => sessions.deleteOf(account, sample, digest('session', sample)),
    delete: (sessions) => sessions.delete(digest('session', sample)),
    deleteAll: (sessions) => sessions.deleteAll(account, sample),
  }),
];

import { exercise } from '@itsm/shared/testing/store-commands';
import type { Exercise } from '@itsm/shared/testing/store-commands';
import type { Connection } from 'mongoose';
import { auditEvents } from '../../security/audit-event';
import type { AuditEvent } from '../../security/audit-event';
import { createAuditRepository } from '../../security/audit.repository';
import {
  createThrottleRepository,
  bucketOf,
  forgettable as forgettableOfThrottles,
} from '../../security/throttle.repository';
import { createUsedOnceRepository } from '../../security/used-once.repository';
import { account, digest, given, later, moment, now, owner, pages, sample } from './sample';

const events = Object.keys(auditEvents) as AuditEvent[];

/** A sample of each collection of `security/`, as it is stored: the `n`-th. */
export const documents = {
  security_log: (n: number) => ({
    _id: n,
    accountIds: [owner(n)],
    people: n % 50 === 27 ? [sample] : [n],
    event: events[n % events.length],
    at: moment(n),
    person: { accountId: account, id: n, name: 'P' },
    application: null,
    actor: null,
    clientId: null,
    ip: null,
    userAgent: null,
    requestId: null,
    facts: {},
    expiresAt: later,
    ...(n % 2 === 1 && { once: digest('once', n) }),
  }),
  sign_in_throttles: (n: number) => ({
    _id: `throttle ${n}`,
    failures: 1,
    failedAt: moment(n),
    openAt: moment(n),
    expiresAt: later,
    bucket: bucketOf('here', Math.floor(n / 10)),
  }),
  used_once: (n: number) => ({ _id: `used ${n}`, expiresAt: later }),
};

/** One sample call for each method of each repository of `security/`. */
export const exercises = (connection: Connection): Exercise[] => [
  exercise('createAuditRepository', createAuditRepository(connection), {
    append: async (log) => {
      const entry = given(await log.find(account, sample));
      await log.append({ ...entry, id: 1_000_000, once: null });
      await log.append({ ...entry, id: 1_000_001, once: digest('once', sample) });
    },
    hasOnce: (log) => log.hasOnce(digest('once', sample)),
    async list(log) {
      for (const slice of pages)
        for (const filter of [{}, { events: events.slice(0, 1) }, { events: events.slice(0, 5) }, { people: [sample] }])
          await log.list(account, filter, slice);
    },
    async count(log) {
      for (const filter of [{}, { events: events.slice(0, 5) }, { people: [sample] }]) await log.count(account, filter);
    },
    async listOwn(log) {
      for (const slice of pages) await log.listOwn(account, sample, {}, slice);
    },
    find: (log) => log.find(account, sample),
  }),
  exercise(
    'createThrottleRepository',
    createThrottleRepository(connection),
    {
      find: (throttles) => throttles.find(`throttle ${sample}`),
      async replace(throttles) {
        const before = given(await throttles.find(`throttle ${sample}`));
        await throttles.replace(before, { ...before, failures: 2 }, 'here');
        await throttles.replace(undefined, { ...before, key: 'new' }, 'here');
      },
      delete: (throttles) => throttles.delete(`throttle ${sample}`),
    },
    { forgettable: forgettableOfThrottles },
  ),
  exercise('createUsedOnceRepository', createUsedOnceRepository(connection), {
    use: async (used) => [await used.use('new', now), await used.use('new', now)],
  }),
];

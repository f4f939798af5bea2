import { join } from 'node:path';
import type { PolicySaved } from '@itsm/shared/contracts/webhook-policies';
import { createOutboxStore, ensureOutboxIndexes, forgettable } from '@itsm/shared/messages/outbox/outbox-store';
import { exerciseOfIdempotentCalls } from '@itsm/shared/testing/idempotent-calls';
import { exerciseOfPresence } from '@itsm/shared/testing/presence-calls';
import type { Repositories } from '@itsm/shared/testing/prove-store';
import { exercise, readInEveryWay } from '@itsm/shared/testing/store-commands';
import type { Exercise } from '@itsm/shared/testing/store-commands';
import type { Connection } from 'mongoose';
import { createResultRepository } from '../deliveries/delivery-result.repository';
import type { ResultToWrite } from '../deliveries/delivery-result.repository';
import { createScheduleRepository } from '../deliveries/delivery-schedule.repository';
import type { Attempt, Delivery } from '../deliveries/delivery';
import { lastOf, lineOf } from '../deliveries/delivery';
import { deliveriesCollection } from '../deliveries/delivery.document';
import { createDeliveryCountsRepository } from '../deliveries/delivery-counts.repository';
import { createDeliveryRepository, newestFirst, unbounded } from '../deliveries/delivery.repository';
import { deliveryResource } from '../deliveries/delivery.resource';
import { createStopRepository } from '../deliveries/stop.repository';
import { createRedeliveryRepository, redeliveryStates } from '../deliveries/redelivery.repository';
import { createSigningPolicyRepository } from '../signing/signing-policy.repository';
import { createSkippedRepository } from '../deliveries/skipped.repository';

const start = Date.UTC(2026, 0, 1);
const moment = (n: number): Date => new Date(start + n * 60_000);
const now = new Date(start + 20 * 86_400_000);
const later = new Date(now.getTime() + 60_000);

/** The sample that calls refer to. The first 1,000 documents of the log are of its account, later ones of another. */
const sample = 57;
const account = 'wdc';
const owner = (n: number): string => (n < 1_000 ? account : 'other');
const host = 'receiver.example:443';
const line = lineOf('first', `${host} ${account}`);
const lease = { owner: 'process', until: later };
const gone = ['process 1', 'process 2'];
const leased = { collection: deliveriesCollection, documentId: 'delivery 203', owner: 'process 1', entries: [] };

/** Whether the `n`-th delivery has an event, or is a test, that is rare in the log. */
const isRare = (n: number): boolean => n % 100 === sample;

const stateOf = (n: number): Delivery['state'] => {
  if (n % 20 === 17) return 'pending';
  if (n % 20 === 18) return 'skipped';
  return n % 20 === 19 ? 'failed' : 'delivered';
};
const attempt: Attempt = {
  number: 1,
  at: now,
  outcome: 'failed',
  fault: 'receiver',
  status: 500,
  error: 'x',
  errorClass: 'http_status',
  timings: null,
  fence: 1,
};
export const deliveryOf = (n: number): Delivery => ({
  id: `delivery ${n}`,
  accountId: owner(n),
  webhookId: n % 40 < 20 ? 7 : n,
  eventId: `event ${n}`,
  test: isRare(n),
  event: isRare(n) ? 'task.update' : 'request.update',
  objectId: n,
  requestedAt: moment(n),
  createdAt: moment(n),
  sealed: 'sealed',
  host: isRare(n) ? 'rare.example:443' : host,
  state: stateOf(n),
  stoppedBecause: null,
  attempts: n % 20 === 17 ? [] : [attempt],
  ...lastOf({ ...attempt, ...(!['failed', 'pending'].includes(stateOf(n)) && { status: 200, errorClass: null }) }),
  dueAt: stateOf(n) === 'pending' ? moment(n) : null,
  line,
  leased: false,
  owner: null,
  fence: 1,
  origin: null,
});
const stored = ({ id, ...rest }: Delivery) => ({ _id: id, ...rest });
const pending = deliveryOf(sample);

/** The `n`-th document of each collection, as the service stores it. */
const documents: Readonly<Record<string, (n: number) => object>> = {
  [deliveriesCollection]: (n) => ({
    ...stored(deliveryOf(n)),
    ...(n % 200 === 3 && { outbox: [{ id: `m${n}`, contract: 'c', message: '{}' }], outboxAt: moment(n) }),
  }),
  stops: (n) => ({ _id: `${account}/${n}/*`, at: moment(n), reason: 'disabled' }),
  signing_policies: (n) => ({ _id: n, accountId: account, state: 'enabled', version: 1 }),
};

async function fill(connection: Connection, count: number): Promise<void> {
  for (const [collection, document] of Object.entries(documents)) {
    const all = Array.from({ length: count }, (_none, n) => document(n));
    await connection.collection(collection).insertMany(all, { ordered: false });
  }
}

const skippedMessage = {
  redeliveryId: 'r',
  accountId: account,
  webhookId: 18,
  at: now.toISOString(),
  sealed: 's',
  from: moment(0).toISOString(),
  until: later.toISOString(),
};
const stop = { accountId: account, webhookId: 7, at: now.toISOString(), reason: 'deleted' } as const;
const policy: PolicySaved = {
  id: 5,
  accountId: account,
  state: 'enabled',
  algorithm: 'es256',
  audience: null,
  expiresInMinutes: null,
  issuers: { account: 'a', discovery: 'd' },
  keys: [],
  version: 2,
};

function exercises(connection: Connection): Exercise[] {
  const resultOf = (delivery: Delivery, fence = delivery.fence): ResultToWrite => ({
    delivery,
    attempt: { ...attempt, fence, outcome: 'delivered' },
    verdict: { kind: 'delivered' },
    now,
    published: false,
  });
  const values = {
    id: 'delivery 57',
    createdAt: moment(57),
    requestedAt: moment(57),
    state: 'failed',
    test: true,
    event: 'task.update',
    eventId: 'event 57',
    objectId: 57,
    lastErrorClass: 'http_status',
    lastStatus: 500,
    host: 'rare.example:443',
  };
  const selection = { states: redeliveryStates, webhookId: 7, from: moment(0), until: later };
  return [
    exercise(
      'createDeliveryRepository',
      createDeliveryRepository(connection),
      {
        insert: (all) => all.insert([{ ...pending, id: 'new' }, pending]),
        stop: (all) => all.stop({ ...stop, webhookId: 8, at: moment(100).toISOString() }),
        giveUp: (all) => all.giveUp(deliveryOf(77), 'x'),
        find: (all) => all.find(account, pending.id),
        async collect(all) {
          for (const filter of [{}, { webhookId: 7 }])
            await readInEveryWay(all.collect(account, filter), deliveryResource, values, newestFirst);
        },
      },
      { unbounded },
    ),
    exercise('createDeliveryCountsRepository', createDeliveryCountsRepository(connection), {
      async count(all) {
        for (const bucket of ['hour', 'day'] as const)
          for (const filter of [{}, { webhookId: 7 }])
            await all.count(account, filter, { from: moment(100), until: moment(700), bucket });
      },
    }),
    exercise('createStopRepository', createStopRepository(connection), {
      async remember(all) {
        await all.remember(stop);
        await all.remember({ ...stop, at: moment(0).toISOString() });
      },
      reasonAgainst: (all) => all.reasonAgainst(pending),
      reasonsAgainst: (all) => all.reasonsAgainst([pending, deliveryOf(58)]),
      addressIsGone: (all) => all.addressIsGone(pending),
    }),
    exercise('createScheduleRepository', createScheduleRepository(connection), {
      async lineAfter(all) {
        await all.lineAfter('');
        await all.lineAfter(line);
      },
      firstDue: (all) => all.firstDue(line),
      claim: (all) => all.claim(line, now, async () => lease, 10),
      hasten: (all) => all.hasten(pending, now),
      endLeases: (all) => all.endLeases('an owner that has none', now),
      recordLoss: (all) => all.recordLoss(pending, attempt),
    }),
    exerciseOfPresence(connection),
    exerciseOfIdempotentCalls(connection),
    exercise('createResultRepository', createResultRepository(connection), {
      async record(all) {
        await connection
          .collection<{ _id: string }>(deliveriesCollection)
          .updateOne({ _id: 'delivery 97' }, { $set: { leased: true } }, { writeConcern: { w: 'majority', j: true } });
        await all.record([resultOf(deliveryOf(97)), resultOf(deliveryOf(56)), resultOf(deliveryOf(55), 9)]);
      },
    }),
    exercise('createRedeliveryRepository', createRedeliveryRepository(connection), {
      latestOf: (all) => all.latestOf(pending),
      note: (all) => all.note(pending, null, 'new'),
      select: (all) => all.select(account, selection, 20),
      count: (all) => all.count(account, selection),
      selectWaiting: (all) => all.selectWaiting(account, selection, now, 20),
      countWaiting: (all) => all.countWaiting(account, selection, now),
    }),
    exercise('createSigningPolicyRepository', createSigningPolicyRepository(connection), {
      save: (all) => all.save(policy),
      find: (all) => all.find(account, 5),
    }),
    exercise('createSkippedRepository', createSkippedRepository(connection), {
      async select(all) {
        for await (const delivery of all.select(skippedMessage)) if (delivery.id === '') return;
      },
      release: (all) => all.release(deliveryOf(18), { sealed: 's', host }, now, now),
    }),
    exercise(
      'createOutboxStore',
      createOutboxStore(connection),
      {
        countWaiting: (all) => all.countWaiting(deliveriesCollection),
        isDue: (all) => all.isDue(deliveriesCollection, now, gone),
        // Before the others, which leave none for it.
        claimSome: (all) => all.claimSome(deliveriesCollection, now, gone, lease, 20),
        claim: (all) => all.claim(deliveriesCollection, now, gone, lease),
        async settle(all) {
          await all.settle({ ...leased, documentId: 'delivery 3' }, ['m3']);
          await all.settle(leased, ['another']);
        },
        postpone: (all) => all.postpone(leased, ['another'], later),
      },
      { forgettable },
    ),
  ];
}

export const repositories: Repositories = {
  folder: join(__dirname, '..'),
  exercises,
  ensureIndexes: (connection) => ensureOutboxIndexes(connection, [deliveriesCollection]),
  fill,
  composed: ['collectionOf', 'ensureDeliveryIndexes'],
};

import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { connectMongo } from '@itsm/shared/stores/mongo/connect-mongo';
import type { Connection } from 'mongoose';
import type { ItsmRecord } from '../record-types/record';
import { request } from '../record-types/request';
import { changed, created, newRecord } from '../write/record.service';
import { createRecordCounts } from './record-counts.repository';
import { everything } from './record-selection';
import { createRecordRepository } from './record.repository';

let mongo: EmbeddedMongo;
let connection: Connection;
beforeAll(async () => {
  mongo = await startEmbeddedMongo();
  connection = await connectMongo(mongo.urlOf('counts'));
  await createRecordRepository(connection, request).ensureIndexes();
});
afterAll(async () => {
  await connection.close();
  await mongo.close();
});

const clock = new Date(1_700_000_000_000);
const later = new Date(clock.getTime() + 600_000);

/** An account with some records, all counted by a sweep. */
async function open(accountId: string) {
  // A page of a sweep is not all.
  const counts = createRecordCounts(connection, request, 20);
  const repository = createRecordRepository(connection, request, {
    forgetCounts: (account) => counts.forget(account, later),
  });
  const moment = { accountId, personId: 1, now: clock };
  let numbers = (await connection.collection('requests').countDocuments()) + 1;
  const make = (count: number): ItsmRecord[] =>
    Array.from({ length: count }, (_none, n) =>
      newRecord((numbers += 1), created(request, { subject: `Printer ${n}` }, moment), moment),
    );
  const account = {
    counts,
    repository,
    make,
    counted: () => counts.count(accountId, everything, () => ({})),
    total: () => repository.count(accountId, everything),
    sweep: () => counts.sweep(accountId),
    async sweepAll() {
      for (;;) {
        const swept = await counts.sweep(accountId);
        if (swept) return swept;
      }
    },
    change: (record: ItsmRecord) =>
      repository.replace(record, changed(request, record, { status: 'completed' }, moment), []),
  };
  await counts.fold(accountId, clock);
  for (const record of make(30)) await repository.insert(record, []);
  while (await counts.fold(accountId, clock)) continue;
  await account.sweepAll();
  expect(await account.counted()).toBe(30);
  return account;
}

const dueOf = async (accountId: string): Promise<unknown> =>
  (await connection.collection<{ _id: string; dueAt: Date }>('record_counts').findOne({ _id: `request ${accountId}` }))
    ?.dueAt;

test('records of an import are not marked: until the next sweep an index counts them, and then the counts have them', async () => {
  const account = await open('bulk');
  const imported = account.make(60);
  await account.repository.insertMany(imported);
  expect(await connection.collection('requests').countDocuments({ accountId: 'bulk', uncounted: true })).toBe(0);
  expect([await account.counted(), await account.total(), await dueOf('bulk')]).toEqual([undefined, 90, later]);
  for (const record of imported.slice(0, 5)) await account.change(record);
  expect(await account.sweepAll()).toEqual({ unmarked: 0, wrong: [] });
  expect([await account.counted(), await account.total()]).toEqual([90, 90]);
  // What the sweep has counted needs no second write of each record.
  expect(await account.sweepAll()).toEqual({ unmarked: 0, wrong: [] });
  expect(await connection.collection('requests').countDocuments({ accountId: 'bulk', 'counted.fold': 0 })).toBe(55);
});

test('a sweep that was under way before an import begins again', async () => {
  const account = await open('under-way');
  expect(await account.sweep()).toBeUndefined();
  await account.repository.insertMany(account.make(60));
  expect(await account.sweepAll()).toEqual({ unmarked: 0, wrong: [] });
  expect(await account.counted()).toBe(90);
});

test('a sweep that is over before the records of an import are there does not count without them', async () => {
  const account = await open('between');
  const repository = createRecordRepository(connection, request, {
    async forgetCounts(accountId) {
      await account.counts.forget(accountId, later);
      if ((await account.total()) === 30) await account.sweepAll();
    },
  });
  await repository.insertMany(account.make(60));
  expect([await account.counted(), await account.total()]).toEqual([undefined, 90]);
});

test('some records at once are marked, and counted at once', async () => {
  const account = await open('few');
  await account.repository.insertMany(account.make(10));
  expect([await account.counted(), await account.total()]).toEqual([40, 40]);
});

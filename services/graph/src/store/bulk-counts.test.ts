import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import type { Connection } from 'mongoose';
import type { ItsmRecord } from '../record-types/record';
import { request } from '../record-types/request';
import { changed, created, newRecord } from '../write/made-record';
import { createRecordCounts } from './record-counts.repository';
import { everything } from './record-selection';
import { createRecordRepository } from './record.repository';

let mongo: EmbeddedMongo;
let connection: Connection;
beforeAll(async () => {
  mongo = await startEmbeddedMongo();
  connection = await connectPatiently(mongo.urlOf('counts'));
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
    sweep: (now = later) => counts.sweep(accountId, now),
    async sweepAll() {
      for (;;) {
        const swept = await counts.sweep(accountId, later);
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

test('imported records that change once, twice and back, before and after a sweep, are counted by their status', async () => {
  const account = await open('changed');
  const imported = account.make(64);
  const [once, twice, back, late] = imported as [ItsmRecord, ItsmRecord, ItsmRecord, ItsmRecord];
  const moment = { accountId: 'changed', personId: 1, now: clock };
  const set = async (record: ItsmRecord, ...statuses: readonly string[]): Promise<ItsmRecord> => {
    let before = record;
    for (const status of statuses) {
      const after = changed(request, before, { status }, moment);
      expect(await account.repository.replace(before, after, [])).toBe('written');
      before = after;
    }
    return before;
  };
  const byStatus = () =>
    Promise.all(
      ['on_backlog', 'accepted', 'completed'].map((status) => {
        const selection = { ...everything, conditions: [{ property: 'status', in: [status] }] };
        return account.counts.count('changed', selection, () => ({}));
      }),
    );
  await account.repository.insertMany(imported);
  const changes = [
    () => set(once, 'completed'),
    () => set(twice, 'accepted', 'completed'),
    () => set(back, 'accepted', 'on_backlog'),
  ];
  for (const change of changes) await change();
  expect(await account.sweepAll()).toEqual({ unmarked: 0, wrong: [] });
  expect(await byStatus()).toEqual([92, 0, 2]);
  const accepted = await set(late, 'accepted');
  expect(await byStatus()).toEqual([91, 1, 2]);
  await set(accepted, 'completed');
  expect(await byStatus()).toEqual([91, 0, 3]);
  while (await account.counts.fold('changed', clock)) continue;
  expect(await byStatus()).toEqual([91, 0, 3]);
  expect(await account.sweepAll()).toEqual({ unmarked: 0, wrong: [] });
});

test('a sweep that was under way before an import begins again', async () => {
  const account = await open('under-way');
  expect(await account.sweep()).toBeUndefined();
  await account.repository.insertMany(account.make(60));
  expect(await account.sweep(new Date(later.getTime() - 1))).toEqual({ heldUntil: later });
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

test('counts are held until the latest time that any process has set, and by the first even before they exist', async () => {
  const counts = createRecordCounts(connection, request);
  const latest = new Date(later.getTime() + 1);
  await counts.forget('held', latest);
  await counts.forget('held', later);
  // Begun by a process that was slow.
  expect(await counts.fold('held', clock)).toBe(false);
  expect(await counts.sweep('held', later)).toEqual({ heldUntil: latest });
  expect(await counts.sweep('held', latest)).toEqual({ unmarked: 0, wrong: [] });
});

test('some records at once are marked, and counted at once', async () => {
  const account = await open('few');
  await account.repository.insertMany(account.make(10));
  expect([await account.counted(), await account.total()]).toEqual([40, 40]);
});

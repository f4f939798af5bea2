import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { connectMongo } from '@itsm/shared/stores/mongo/connect-mongo';
import { createPresence } from '@itsm/shared/stores/presence/presence';
import { createTestClock } from '@itsm/shared/testing/test-clock';
import fc from 'fast-check';
import type { Connection } from 'mongoose';
import { recordTypes } from '../record-types/all';
import { request } from '../record-types/request';
import type { ItsmRecord } from '../record-types/record';
import { intercepted } from '../testing/intercepted';
import { changed, created, newRecord } from '../write/made-record';
import { firstSweepMilliseconds, leastHeldMilliseconds } from './count-keeper';
import { createStore } from './module';
import { createRecordCounts } from './record-counts.repository';
import { createRecordRepository } from './record.repository';
import { everything } from './record-selection';

let mongo: EmbeddedMongo;
let connection: Connection;
beforeAll(async () => {
  mongo = await startEmbeddedMongo();
});
beforeEach(async () => {
  connection = await connectMongo(mongo.urlOf(`imports_${(databases += 1)}`), { monitorCommands: true });
});
afterEach(() => connection.close());
afterAll(() => mongo.close());

let databases = 0;
let accounts = 0;
let numbers = 0;
const minute = 60_000;
const batchSize = 50;
/** A page of a sweep is not all. */
const pageSize = 40;

/** Two replicas of the service, with what imports, writers and sweeps do in them. */
async function open() {
  const accountId = `a${(accounts += 1)}`;
  const clock = createTestClock();
  const errors: unknown[] = [];
  const logger = { ...silentLogger, error: (...line: unknown[]) => void errors.push(line) };
  const platform = { connection, logger, now: clock.now, baseUrl: 'https://api.test.example', nodeIdDomain: 'test' };
  const replicaOn = (on: Connection) =>
    createStore(
      { ...platform, connection: on },
      { types: recordTypes, presence: createPresence({ connection, logger }) },
    );
  const replicas = [replicaOn(connection), replicaOn(connection)] as const;
  await replicas[0].prepare();
  const counts = createRecordCounts(connection, request, pageSize);
  const stored: ItsmRecord[] = [];
  const make = (count: number): ItsmRecord[] => {
    const moment = { accountId, personId: 1, now: clock.now() };
    return Array.from({ length: count }, () =>
      newRecord((numbers += 1), created(request, { subject: 'Printer' }, moment), moment),
    );
  };
  /** Numbers are reserved a batch ahead, so a sweep may have passed them. */
  let reserved = make(batchSize);
  const repository = (nr: number) => replicas[nr % 2]!.repositoryOf('request');
  const account = {
    accountId,
    clock,
    errors,
    replicas,
    replicaOn,
    make,
    counted: () => counts.count(accountId, everything, () => ({})),
    there: () => connection.collection('requests').countDocuments({ accountId }),
    async import(nr: number) {
      const records = reserved;
      reserved = make(batchSize);
      await repository(nr).insertMany(records);
      stored.push(...records);
    },
    async create(nr: number) {
      await repository(nr).insert(make(1)[0]!, []);
    },
    async change(nr: number) {
      const before = stored.pop();
      const moment = { accountId, personId: 1, now: clock.now() };
      if (before) await repository(nr).replace(before, changed(request, before, { status: 'completed' }, moment), []);
    },
    /** A page of a sweep that another process does. */
    sweepOn: () => counts.sweep(accountId, clock.now()),
    /** Folds, and all sweeps that are due. */
    work: (nr: number) => replicas[nr % 2]!.countKeeper.work(),
    pass: (minutes: number) => Promise.resolve(clock.pass(minutes * minute)),
    /** The total of the counts, if they are used, and the number of records. */
    async expectExact() {
      const [counted, there] = [await account.counted(), await account.there()];
      expect(counted ?? there).toBe(there);
      expect(await repository(0).count(accountId, everything)).toBe(there);
    },
    /** After an hour without imports the counts are used, and no sweep has repaired any. */
    async expectCounted() {
      for (let nr = 0; nr < 6; nr += 1) {
        await account.pass(11);
        await account.work(nr);
      }
      expect([await account.counted(), errors]).toEqual([await account.there(), []]);
    },
  };
  return account;
}

type Account = Awaited<ReturnType<typeof open>>;

/** Commands that begin the counts again, while something is done. */
async function begun(during: () => Promise<unknown>): Promise<number> {
  let found = 0;
  const hear = ({ commandName, command }: { commandName: string; command: Record<string, unknown> }): void => {
    if (commandName === 'update' && command['update'] === 'record_counts') found += 1;
  };
  connection.getClient().on('commandStarted', hear);
  await during();
  connection.getClient().off('commandStarted', hear);
  return found;
}

test('the batches of some minutes begin the counts once, those of a slow import again, and another replica for itself', async () => {
  const account = await open();
  const batches = async (nr: number) => {
    for (let batch = 0; batch < 4; batch += 1) await account.import(nr);
  };
  expect(await begun(() => batches(0))).toBe(1);
  account.clock.pass(firstSweepMilliseconds - leastHeldMilliseconds);
  expect(await begun(() => batches(0))).toBe(0);
  account.clock.pass(1);
  expect(await begun(() => batches(0))).toBe(1);
  expect(await begun(() => batches(1))).toBe(1);
  await account.expectCounted();
});

test('a clock that is put back begins the counts again', async () => {
  const account = await open();
  await account.import(0);
  account.clock.pass(-60 * minute);
  expect(await begun(() => account.import(0))).toBe(1);
  account.clock.pass(60 * minute);
  await account.expectCounted();
});

test('a batch that takes longer than the counts are held begins them again when it is stored', async () => {
  const account = await open();
  const [importing, other] = account.replicas;
  let calls = 0;
  const slow = createRecordRepository(connection, request, {
    async forgetCounts(of) {
      await importing.countKeeper.forget('request', of);
      if ((calls += 1) > 1) return;
      await account.pass(11);
      await other.countKeeper.work();
      await account.sweepOn();
    },
  });
  await slow.insertMany(account.make(batchSize));
  expect(await account.counted()).toBeUndefined();
  await account.expectCounted();
});

test.each([
  ['before', 1],
  ['after', 2],
])(
  'a process that ends %s the records of a batch are stored leaves what the next sweep counts',
  async (_when, last) => {
    const account = await open();
    await account.create(0);
    await account.expectCounted();
    const [importing] = account.replicas;
    let calls = 0;
    const ending = createRecordRepository(connection, request, {
      async forgetCounts(of) {
        if ((calls += 1) === 1) await importing.countKeeper.forget('request', of);
        if (calls === last) throw new Error('The process has ended');
      },
    });
    await expect(ending.insertMany(account.make(batchSize))).rejects.toThrow('has ended');
    expect(await account.there()).toBe(last === 1 ? 1 : 1 + batchSize);
    await account.sweepOn();
    await account.work(1);
    expect(await account.counted()).toBeUndefined();
    await account.expectExact();
    await account.expectCounted();
  },
);

test('a sweep under way ends when an import begins, and leaves the next one due when the import is over', async () => {
  const account = await open();
  for (let n = 0; n < 3; n += 1) await account.import(n);
  for (let n = 0; n < 45; n += 1) await account.create(n);
  await account.pass(11);
  for (let page = 0; page < 4; page += 1) expect(await account.sweepOn()).toBeUndefined();
  await account.import(0);
  expect(await account.sweepOn()).toHaveProperty('heldUntil');
  await account.work(1);
  await account.import(0);
  expect(await account.counted()).toBeUndefined();
  await account.pass(11);
  await account.work(1);
  expect(await account.counted()).toBe(5 * batchSize + 45);
});

test.each([
  ['is about to end', true],
  ['has just ended', false],
])('an import that begins when a sweep %s is counted ten minutes later, not a day later', async (_when, isFirst) => {
  const account = await open();
  await account.create(0);
  await account.work(1);
  await account.pass(11);
  let ended = 0;
  const meanwhile = intercepted(connection, async (parameters, send) => {
    const { $set } = (parameters[1] ?? {}) as { $set?: { heldUntil?: unknown } };
    const isEnd = $set?.heldUntil === null && (ended += 1) === 1;
    if (isEnd && isFirst) await account.import(0);
    const sent = await send(...parameters);
    if (isEnd && !isFirst) await account.import(0);
    return sent;
  });
  await account.replicaOn(meanwhile).countKeeper.work();
  expect([ended, await account.counted()]).toEqual([1, undefined]);
  await account.pass(10);
  await account.work(1);
  expect(await account.counted()).toBe(1 + batchSize);
});

test('counts that a process of an earlier release has made during an import are not used', async () => {
  const account = await open();
  await account.import(0);
  const counts = connection.collection<{ _id: string }>('record_counts');
  // Its sweep does not know that the counts are held.
  const ofEarlier = { counts: { all: batchSize }, fields: ['status'], sweep: null };
  await counts.updateOne({ _id: `request ${account.accountId}` }, { $set: ofEarlier, $inc: { fold: 1 } });
  await account.import(0);
  expect(await account.counted()).toBeUndefined();
  await account.expectExact();
  await account.expectCounted();
});

const nr = fc.nat(1);
const step = fc.oneof(
  fc.tuple(fc.constantFrom('import' as const, 'import' as const, 'create' as const, 'change' as const), nr),
  fc.tuple(fc.constant('work' as const), nr),
  fc.tuple(fc.constant('sweepOn' as const), nr),
);
const passing = fc.tuple(fc.constant('pass' as const), fc.integer({ min: 1, max: 11 }));

async function take(account: Account, all: readonly (readonly [string, number])[]): Promise<void> {
  for (const [name, parameter] of all)
    await (account as unknown as Record<string, (given: number) => Promise<unknown>>)[name]!(parameter);
}

test('totals are exact at any moment, whatever two replicas import, write, count and sweep at once', async () => {
  const steps = fc.array(step, { maxLength: 6 });
  const moves = fc.array(fc.oneof(step, passing), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(moves, steps, steps, moves, async (first, second, third, fourth) => {
      const account = await open();
      await account.create(0);
      for (const each of first) {
        await take(account, [each]);
        await account.expectExact();
      }
      await Promise.all([take(account, second), take(account, third)]);
      await account.expectExact();
      for (const each of fourth) {
        await take(account, [each]);
        await account.expectExact();
      }
      await account.expectCounted();
    }),
    { numRuns: 15, seed: Number(process.env['SEED'] ?? 1) },
  );
});

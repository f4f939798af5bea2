import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import fc from 'fast-check';
import type { Connection } from 'mongoose';
import { parseOrder } from '../read/record-query';
import { choicesOf, valuesOf } from '../record-types/choices';
import type { ItsmRecord } from '../record-types/record';
import { problem } from '../record-types/problem';
import { request } from '../record-types/request';
import { sla } from '../record-types/sla';
import { team } from '../record-types/team';
import type { RecordType } from '../record-types/record-type';
import { fits, selectionsOf } from '../testing/counted-selections';
import { dying, intercepted } from '../testing/intercepted';
import type { End } from '../testing/intercepted';
import { changed, created, newRecord } from '../write/made-record';
import { createRecordCounts } from './record-counts.repository';
import type { Swept } from './record-counts.repository';
import { toDocument } from './record.document';
import { everything } from './record-selection';
import type { Selection } from './record-selection';
import { createRecordRepository } from './record.repository';

let mongo: EmbeddedMongo;
let connection: Connection;
beforeAll(async () => {
  mongo = await startEmbeddedMongo();
  connection = await connectPatiently(mongo.urlOf('counts'));
  for (const type of types) await createRecordRepository(connection, type).ensureIndexes();
});
afterAll(async () => {
  await connection.close();
  await mongo.close();
});

/** With several choices, with a flag, with a flag alone, and without a choice. */
const types = [request, problem, team, sla] as const;
const clock = new Date(1_700_000_000_000);
const unanswered = () => ({});

/** Small, so that a fold or a page of a sweep is not all. */
const foldSize = 3;

let accounts = 0;
let numbers = 0;

/** An account of its own, with what its writers do. */
function open(type: RecordType) {
  const accountId = `a${(accounts += 1)}`;
  const records = createRecordRepository(connection, type);
  const counts = createRecordCounts(connection, type, foldSize);
  const moment = { accountId, personId: 1, now: clock };
  const ids: number[] = [];
  /** A record whose choices depend on a number. */
  const given = (seed: number) => ({
    ...Object.fromEntries(
      choicesOf(type).map((choice, n) => [
        choice.name,
        valuesOf(choice)[(seed >> n) % valuesOf(choice).length] ?? null,
      ]),
    ),
    [type.fields[0]!.name]: `R ${seed}`,
  });
  const make = (seed: number): ItsmRecord => {
    ids.push((numbers += 1));
    return newRecord(numbers, created(type, given(seed), moment), moment);
  };
  const one = async (seed: number): Promise<ItsmRecord | undefined> => {
    const id = ids[seed % Math.max(1, ids.length)];
    return id === undefined ? undefined : (await records.findMany(accountId, [id], everything))[0];
  };
  return {
    accountId,
    counts,
    insert: (seed: number) => records.insert(make(seed), []),
    insertMany: (seed: number) => records.insertMany([make(seed), make(seed + 1), make(seed + 2)]),
    async change(seed: number, values: object = given(seed >> 1)) {
      const before = await one(seed);
      return before && records.replace(before, changed(type, before, values as never, moment), []);
    },
    fold: () => counts.fold(accountId, clock),
    sweep: () => counts.sweep(accountId, clock),
    /** All pages of a sweep. */
    async sweepAll(): Promise<Swept> {
      await counts.fold(accountId, clock);
      for (;;) {
        const swept = await counts.sweep(accountId, clock);
        if (swept) return swept as Swept;
      }
    },
    async foldUntil(last: number, end: End) {
      await createRecordCounts(dying(connection, last, end), type, foldSize)
        .fold(accountId, clock)
        .catch(() => undefined);
    },
    async sweepUntil(last: number, end: End) {
      await createRecordCounts(dying(connection, last, end), type, foldSize)
        .sweep(accountId, clock)
        .catch(() => undefined);
    },
    /** The counts of selections, and how many of the records that are paged through are selected. */
    async compare() {
      const listed = await records.list(accountId, everything, { order: parseOrder([]), limit: 10_000 });
      return Promise.all(
        selectionsOf(type).map(async (selection): Promise<[unknown, number | undefined, number]> => {
          const those = listed.filter((record) => fits(selection, record));
          return [selection.conditions, await counts.count(accountId, selection, unanswered), those.length];
        }),
      );
    },
    total: (selection: Selection = everything) => records.count(accountId, selection),
  };
}

type Account = ReturnType<typeof open>;

async function expectExact(account: Account): Promise<void> {
  const all = await account.compare();
  expect(all.map(([conditions, counted]) => [conditions, counted])).toEqual(
    all.map(([conditions, , listed]) => [conditions, listed]),
  );
}

const seed = fc.nat(1_000);
const end = fc.constantFrom<End>('lost', 'unanswered', 'in part');
const killed = (kind: 'foldUntil' | 'sweepUntil') => fc.tuple(fc.constant(kind), fc.nat(3), end);
const step = fc.oneof(
  fc.tuple(fc.constant('insert' as const), seed),
  fc.tuple(fc.constant('insertMany' as const), seed),
  fc.tuple(fc.constant('change' as const), seed),
  fc.tuple(fc.constant('change' as const), seed),
  fc.tuple(fc.constantFrom('fold' as const, 'sweep' as const)),
  killed('foldUntil'),
  killed('sweepUntil'),
);
const steps = fc.array(step, { maxLength: 12 });

async function take(account: Account, all: readonly (readonly [string, ...unknown[]])[]): Promise<void> {
  for (const [name, ...parameters] of all)
    await (account as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>)[name]!(...parameters);
}

test.each(types.map((type) => [type.plural, type] as const))(
  '%s: counts are exact after any writes of two processes, wherever a fold or a sweep has ended',
  async (_plural, type) => {
    await fc.assert(
      fc.asyncProperty(steps, steps, steps, steps, async (first, second, third, fourth) => {
        const account = open(type);
        await take(account, first);
        await account.sweepAll();
        await expectExact(account);
        await Promise.all([take(account, second), take(account, third)]);
        await expectExact(account);
        await take(account, fourth);
        await expectExact(account);
        expect(await account.sweepAll()).toEqual({ unmarked: 0, wrong: [] });
        await expectExact(account);
        while (await account.fold()) continue;
        const left = { accountId: account.accountId, uncounted: true };
        expect(await connection.collection(type.plural).countDocuments(left)).toBe(0);
      }),
      { numRuns: 12, seed: Number(process.env['SEED'] ?? 1) },
    );
  },
);

test('a count is the number of nodes that were there while it was read', async () => {
  const account = open(request);
  await account.sweepAll();
  let [begun, done, isOver] = [0, 0, false];
  const write = async () => {
    for (let n = 0; n < 60; n += 1) {
      begun += 1;
      await account.insert(n);
      done += 1;
      if (n % 7 === 0) await account.fold();
    }
    isOver = true;
  };
  const read = async () => {
    while (!isOver) {
      const least = done;
      const counted = await account.total();
      expect(counted).toBeGreaterThanOrEqual(least);
      expect(counted).toBeLessThanOrEqual(begun);
    }
  };
  await Promise.all([write(), read()]);
  expect(await account.total()).toBe(60);
});

test('a reader that a fold overtakes reads again', async () => {
  const account = open(request);
  await account.insertMany(1);
  await account.sweepAll();
  await account.insertMany(2);
  let folds = 0;
  const overtaken = intercepted(
    connection,
    async (parameters, send) => {
      const found = await send(...parameters);
      if ((folds += 1) === 1) await account.fold();
      return found;
    },
    ['findOne'],
  );
  const counts = createRecordCounts(overtaken, request);
  expect(await counts.count(account.accountId, everything, unanswered)).toBe(6);
});

test('a process that goes on after a pause changes nothing that was counted meanwhile', async () => {
  const account = open(request);
  await account.sweepAll();
  await account.insert(0);
  let resume = (): void => undefined;
  const paused = new Promise<void>((resolve) => (resume = resolve));
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const slow = intercepted(connection, async (parameters, send) => {
    if (Array.isArray(parameters[0])) {
      arrive();
      await paused;
    }
    return send(...parameters);
  });
  const folding = createRecordCounts(slow, request).fold(account.accountId, clock);
  await arrived;
  // Another process completes the fold, and counts the record again.
  await account.fold();
  await account.change(0, { status: 'completed' });
  await account.fold();
  await account.fold();
  await expectExact(account);
  resume();
  await folding;
  await expectExact(account);
  expect(await account.sweepAll()).toEqual({ unmarked: 0, wrong: [] });
});

describe('a sweep', () => {
  const stored = (account: Account) => ({
    records: connection.collection<{ _id: number }>('requests'),
    counts: connection.collection<{ _id: string }>('record_counts'),
    countsId: `request ${account.accountId}`,
  });

  async function opened(): Promise<Account> {
    const account = open(request);
    for (let n = 0; n < 4; n += 1) await account.insertMany(n);
    await account.sweepAll();
    return account;
  }

  test('counts the records of an earlier release; before its end an index is counted', async () => {
    const account = open(request);
    const moment = { accountId: account.accountId, personId: 1, now: clock };
    const old = Array.from({ length: 10 }, (_none, n) =>
      toDocument(request, newRecord((numbers += 1), created(request, { subject: `Old ${n}` }, moment), moment)),
    );
    await connection.collection('requests').insertMany(old as object[]);
    await account.insert(1);
    await account.counts.begin(clock);
    // It goes on where another process has ended.
    expect(await account.sweep()).toBeUndefined();
    await account.insert(2);
    while (await account.fold()) continue;
    for (let page = 0; page < 3; page += 1) expect(await account.sweep()).toBeUndefined();
    expect(await account.counts.count(account.accountId, everything, unanswered)).toBeUndefined();
    expect(await account.total()).toBe(12);
    expect(await account.sweep()).toEqual({ unmarked: 0, wrong: [] });
    expect(await account.counts.count(account.accountId, everything, unanswered)).toBe(12);
    await expectExact(account);
  });

  test('finds a change that an earlier release has made without a mark', async () => {
    const account = await opened();
    while (await account.fold()) continue;
    const { records } = stored(account);
    const some = await records.findOne({ accountId: account.accountId });
    await records.updateOne({ _id: some!._id }, { $set: { 'values.status': 'waiting_for' }, $inc: { version: 1 } });
    expect(await account.sweepAll()).toMatchObject({ unmarked: 1 });
    await expectExact(account);
    expect(await account.sweepAll()).toEqual({ unmarked: 0, wrong: [] });
  });

  test('repairs counts that were restored from another time', async () => {
    const account = await opened();
    const { counts, countsId } = stored(account);
    await counts.updateOne({ _id: countsId }, { $set: { 'counts.all': 3, 'counts.status:assigned': 700 } });
    expect(await account.total()).toBe(3);
    expect(await account.sweepAll()).toEqual({ unmarked: 0, wrong: ['all', 'status:assigned'] });
    await expectExact(account);
  });

  test('counts again when the counts were deleted', async () => {
    const account = await opened();
    await account.change(3, { status: 'completed' });
    const { counts, countsId } = stored(account);
    await counts.deleteOne({ _id: countsId });
    expect(await account.total()).toBe(12);
    await account.fold();
    await account.fold();
    expect(await account.sweepAll()).toEqual({ unmarked: 0, wrong: [] });
    await expectExact(account);
  });

  test('adds a choice that a release has declared', async () => {
    const before: RecordType = { ...request, fields: request.fields.filter(({ name }) => name !== 'priority') };
    const account = open(before);
    await account.insertMany(5);
    await account.sweepAll();
    const counts = createRecordCounts(connection, request);
    const byPriority = { ...everything, conditions: [{ property: 'priority', in: [null] }] };
    expect(await counts.count(account.accountId, byPriority, unanswered)).toBeUndefined();
    expect(await counts.count(account.accountId, everything, unanswered)).toBe(3);
    expect(await counts.sweep(account.accountId, clock)).toEqual({ unmarked: 0, wrong: [] });
    expect(await counts.count(account.accountId, byPriority, unanswered)).toBe(3);
  });
});

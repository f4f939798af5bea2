import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import { exercise, keysExaminedBy, sentBy } from '@itsm/shared/testing/store-commands';
import type { Connection } from 'mongoose';
import { request } from '../record-types/request';
import { toDocument } from './record.document';
import { parseOrder } from '../read/record-query';
import { everything } from './record-selection';
import type { Selection } from './record-selection';
import { created, newRecord } from '../write/made-record';
import { createRecordRepository } from './record.repository';

let mongo: EmbeddedMongo;
let connection: Connection;
const count = 9_000;

beforeAll(async () => {
  mongo = await startEmbeddedMongo();
  connection = await connectPatiently(mongo.urlOf('search'), { monitorCommands: true });
  await createRecordRepository(connection, request).ensureIndexes();
  const documents = Array.from({ length: count }, (_none, n) => {
    const moment = { accountId: 'wdc', personId: 1_000 + (n % 900), now: new Date(1_700_000_000_000 + n * 1000) };
    const subject = `Printer ${n} on floor, ${n % 2 === 0 ? 'left' : 'right'} wing`;
    const given = { subject, member: 1 + (n % 1_000), source: `s${n % 3}`, status: 'assigned' };
    return toDocument(request, newRecord(n + 1, created(request, given, moment), moment));
  });
  await connection.collection('requests').insertMany(documents as object[], { ordered: false });
});
afterAll(async () => {
  await connection.close();
  await mongo.close();
});

const byId = parseOrder([]);
const lastFirst = parseOrder([{ field: 'updatedAt', direction: 'desc' }]);
const having = (...words: string[]): Selection => ({ ...everything, words });

/** The commands that a list or count sends to the store, and the number of index keys they examine. */
async function workOf(selection: Selection, what: 'count' | typeof byId) {
  const repository = createRecordRepository(connection, request);
  const sent = await sentBy(connection, [
    exercise<{ search(): Promise<unknown> }>(
      'createRecordRepository',
      {
        search: () =>
          what === 'count'
            ? repository.count('wdc', selection)
            : repository.list('wdc', selection, { order: what, limit: 21 }),
      },
      { search: (one) => one.search() },
    ),
  ]);
  const commands = sent.map(({ command }) => command);
  return { commands, keys: await keysExaminedBy(connection, commands) };
}

const kinds = [
  ['listed by id', byId],
  ['listed by another order', lastFirst],
  ['counted', 'count'],
] as const;

describe.each(kinds)('%s', (_name, what) => {
  test.each([
    ['an absent word beside common ones', having('printer', 'floor', 'zebra')],
    ['a rare word beside a common one', having('printer', '4711')],
    [
      'common words of records that few people ask for',
      { ...having('printer', 'floor'), conditions: [{ property: 'owners', in: [1_007] }] },
    ],
    ['a common word of what one person sees', { ...having('floor'), reach: { who: 1_007, partners: [] } }],
    ['common words and a narrow filter', { ...having('left', 'wing'), conditions: [{ property: 'member', in: [7] }] }],
  ] as const)('%s: hardly more is read than what is rare', async (_what, selection) => {
    const { keys } = await workOf(selection, what);
    expect(keys).toBeLessThan(300);
  });

  test('common words without a common record cost about as much as one of them', async () => {
    const { keys } = await workOf(having('left', 'right'), what);
    // Both words are counted, then the records are scanned along the order and by one of the words.
    expect(keys).toBeLessThan(4 * count);
  });

  test('all queries of a search share its time limit', async () => {
    const { commands } = await workOf(having('left', 'right'), what);
    const times = commands.map(({ maxTimeMS }) => Number(maxTimeMS));
    expect(times.length).toBeGreaterThan(2);
    expect(Math.max(...times)).toBeLessThanOrEqual(4_000);
    // The scan along the order has a shorter time limit of its own.
    const left = times.filter((time) => !(time <= 100));
    expect(left).toEqual([...left].sort((one, other) => other - one));
  });
});

test('a single word is counted once, up to the limit of the quick steps, since its index has no order of the records', async () => {
  const listed = await workOf(having('printer'), byId);
  expect(listed.commands.map(({ find, aggregate }) => String(find ?? aggregate))).toEqual(Array(2).fill('requests'));
  expect(listed.keys).toBeLessThan(2_200);
  const counted = await workOf(having('printer'), 'count');
  expect(counted.commands).toHaveLength(1);
  expect(counted.keys).toBeLessThanOrEqual(count + 1);
});

test.each(kinds)('a part of few words is one range of the index (%s)', async (_name, what) => {
  // The subjects have numbers up to 9,000.
  const { keys } = await workOf(having('471'), what);
  expect(keys).toBeLessThan(100);
  const repository = createRecordRepository(connection, request);
  const found = await repository.list('wdc', having('471'), { order: byId, limit: 20 });
  const having471 = Array.from({ length: count }, (_none, n) => n).filter((n) => String(n).includes('471'));
  expect(found.map(({ id }) => id - 1)).toEqual(having471);
});

test('list, range and negated filters find the same records with and without a text', async () => {
  const repository = createRecordRepository(connection, request);
  const since = new Date(1_700_000_000_000 + 8_990 * 1000);
  const found = async (conditions: Selection['conditions']) => {
    const all = await repository.list('wdc', { ...having('left', 'wing'), conditions }, { order: lastFirst, limit: 3 });
    return all.map(({ id }) => id);
  };
  expect(await found([{ property: 'updatedAt', within: { gte: since } }])).toEqual([8_999, 8_997, 8_995]);
  expect(await found([{ property: 'member', in: [7, 9, null] }])).toEqual([8_009, 8_007, 7_009]);
  expect(await found([{ property: 'source', notIn: ['s0', 's1'] }])).toEqual([8_997, 8_991, 8_985]);
  expect(await found([{ property: 'status', notIn: ['assigned'] }])).toEqual([]);
  expect(await found([{ property: 'timeSpent', in: [null] }])).toEqual([8_999, 8_997, 8_995]);
});

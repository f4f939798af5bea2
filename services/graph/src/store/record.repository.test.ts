import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import type { Connection } from 'mongoose';
import { request } from '../record-types/request';
import { parseOrder } from '../read/record-query';
import { everything } from './record-selection';
import type { Selection } from './record-selection';
import { created, newRecord } from '../write/made-record';
import { createRecordRepository } from './record.repository';
import type { RecordRepository } from './record.repository';

let mongo: EmbeddedMongo;
let connection: Connection;
let repository: RecordRepository;
const [count, rare] = [10_200, 9_990];

beforeAll(async () => {
  mongo = await startEmbeddedMongo();
  connection = await connectPatiently(mongo.urlOf('bounds'));
  repository = createRecordRepository(connection, request);
  await repository.ensureIndexes();
  const records = Array.from({ length: count }, (_, n) => {
    const moment = { accountId: 'wdc', personId: 1, now: new Date(1_700_000_000_000 + ((n * 7919) % count) * 1000) };
    const status = n % 2 === 0 ? 'assigned' : 'completed';
    const impact = n < rare ? 'low' : 'top';
    return newRecord(n + 1, created(request, { subject: `No ${n}`, status, impact }, moment), moment);
  });
  for (let n = 0; n < count; n += 2_000) await repository.insertMany(records.slice(n, n + 2_000));
});
afterAll(async () => {
  await connection.close();
  await mongo.close();
});

const two = parseOrder([{ field: 'status' }, { field: 'subject' }]);
const where = (property: string, ...values: string[]): Selection => ({
  ...everything,
  conditions: [{ property, in: values }],
});

test('an order without an index works for few records, and is refused for many', async () => {
  await expect(repository.list('wdc', everything, { order: two, limit: 5 })).rejects.toMatchObject({
    code: 'bad_request',
    message: 'Only up to 10000 records are ordered by status, subject, id; narrow them by a filter',
  });
  const few = await repository.list('wdc', where('impact', 'top'), { order: two, limit: 3 });
  expect(few.map(({ values }) => [values['status'], values['subject']])).toEqual([
    ['assigned', 'No 10000'],
    ['assigned', 'No 10002'],
    ['assigned', 'No 10004'],
  ]);
});

test('an order with an index works for any number of records', async () => {
  const steps = [{ field: 'status', direction: 'desc' }, { field: 'id' }] as const;
  const page = await repository.list('wdc', everything, { order: parseOrder(steps), skip: 5_099, limit: 2 });
  expect(page.map(({ id, values }) => [id, values['status']])).toEqual([
    [count, 'completed'],
    [1, 'assigned'],
  ]);
});

test('a search or a count over its time limit is refused with a message', async () => {
  const other = await connectPatiently(mongo.urlOf('bounds'));
  const hasty = createRecordRepository(other, request, { search: 1, count: 1 });
  const slow = { ...everything, conditions: [{ property: 'timeSpent', notIn: [null] }] };
  const refusal = { code: 'bad_request', message: 'The search takes too long; narrow it by a filter' };
  await expect(hasty.list('wdc', slow, { order: parseOrder([]), limit: 1 })).rejects.toMatchObject(refusal);
  await expect(hasty.count('wdc', slow)).rejects.toMatchObject({
    code: 'bad_request',
    message: 'Too many records match to be counted in time; ask without the total, or narrow the filter',
  });
  await other.close();
});

describe('free text', () => {
  const having = (...words: string[]): Selection => ({ ...everything, words });
  const ids = async (words: string[], order: Parameters<typeof parseOrder>[0] = [], limit = 5) => {
    const found = await repository.list('wdc', having(...words), { order: parseOrder(order), limit });
    return found.map(({ id }) => id);
  };

  test.each([
    [['no', '7'], [8]],
    [['7', 'no'], [8]],
    [['no', 'absent'], []],
    [['no', '7', '8'], []],
  ])('%j is found, in any order of the words', async (words, expected) => {
    expect(await ids(words)).toEqual(expected);
    expect(await ids(words, [{ field: 'updatedAt', direction: 'desc' }])).toEqual(expected);
    expect(await repository.count('wdc', having(...words))).toBe(expected.length);
  });

  test('common words are found together, in any order, or not at all', async () => {
    const pairs = Array.from({ length: 5_000 }, (_, n) => {
      const moment = { accountId: 'wdc', personId: 1, now: new Date(1_600_000_000_000 + n * 1000) };
      const subject = `${n % 2 === 0 ? 'Left hand' : 'Right hand'} side ${n}`;
      return newRecord(100_000 + n, created(request, { subject }, moment), moment);
    });
    await repository.insertMany(pairs);
    expect(await ids(['hand', 'left'])).toEqual([100_000, 100_002, 100_004, 100_006, 100_008]);
    expect(await ids(['left', 'hand'], [{ field: 'updatedAt', direction: 'desc' }], 2)).toEqual([104_998, 104_996]);
    expect(await ids(['left', 'right'])).toEqual([]);
    expect(await repository.count('wdc', having('hand', 'right'))).toBe(2_500);
    expect(await repository.count('wdc', having('left', 'right'))).toBe(0);
  });
});

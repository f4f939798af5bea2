import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import type { ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import { compareKeys, keyOf } from '@itsm/shared/api/rest/order';
import type { OrderStep } from '@itsm/shared/api/rest/order';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import type { Connection } from 'mongoose';
import { flat } from '../record-types/record';
import type { ItsmRecord } from '../record-types/record';
import { request } from '../record-types/request';
import { everything } from '../store/record-selection';
import type { Selection } from '../store/record-selection';
import { createRecordRepository } from '../store/record.repository';
import type { RecordRepository } from '../store/record.repository';
import { created, newRecord } from '../write/made-record';
import { loadRecords } from './record-connection';
import { parseOrder } from './record-query';

let mongo: EmbeddedMongo;
let connection: Connection;
let records: readonly ItsmRecord[];
let repository: RecordRepository;

const count = 6_000;
const seed = Number(process.env['SEED'] ?? 1);

/** Numbers below `most` that look random (mulberry32). */
function createRandom(state: number): (most: number) => number {
  let a = state;
  return (most) => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % most;
  };
}

/** A clock by which each slice of a scan takes thirty milliseconds. */
function createHurry(): () => Date {
  let calls = 0;
  return () => new Date(30 * (calls += 1));
}

beforeAll(async () => {
  mongo = await startEmbeddedMongo();
  connection = await connectPatiently(mongo.urlOf('pages'));
  repository = createRecordRepository(connection, request, { now: createHurry() });
  await repository.ensureIndexes();
  const random = createRandom(seed);
  records = Array.from({ length: count }, (_none, n) => {
    // Many are equal in their time, as after an import.
    const moment = { accountId: 'wdc', personId: 1, now: new Date(1_700_000_000_000 + random(40) * 60_000) };
    const member = 1 + random(2);
    // The first member has top impact in a few records only.
    const impact = member === 2 || n % 1_500 === 7 ? 'top' : ['low', null][random(2)];
    const given = { subject: `S ${n}`, member, impact, status: ['assigned', 'completed'][random(2)] };
    return newRecord(n + 1, created(request, given as never, moment), moment);
  });
  await repository.insertMany(records);
});
afterAll(async () => {
  await connection.close();
  await mongo.close();
});

const seldom: Selection = {
  ...everything,
  conditions: [
    { property: 'member', in: [1] },
    { property: 'impact', in: ['top'] },
  ],
};
const often: Selection = {
  ...everything,
  conditions: [...seldom.conditions.slice(0, 1), { property: 'impact', in: [null] }],
};
const fits = ({ conditions }: Selection, record: ItsmRecord): boolean =>
  conditions.every((one) => 'in' in one && one.in.includes(record.values[one.property] as never));

/** The numbers on all pages from one end, and the sizes of the pages. */
async function walk(selection: Selection, order: readonly OrderStep[], size: number, from: 'first' | 'last') {
  const [seen, sizes]: [number[], number[]] = [[], []];
  let args: ConnectionArgs = { [from]: size };
  for (;;) {
    const { nodes, edges, pageInfo } = await loadRecords(repository, 'wdc', selection, order, args);
    expect(edges).toHaveLength(nodes.length);
    const ids = nodes.map(({ id }) => id);
    seen.push(...(from === 'first' ? ids : [...ids].reverse()));
    sizes.push(nodes.length);
    const [more, cursor] =
      from === 'first' ? [pageInfo.hasNextPage, pageInfo.endCursor] : [pageInfo.hasPreviousPage, pageInfo.startCursor];
    if (!more) return { seen, sizes };
    expect(cursor).not.toBeNull();
    args = { [from]: size, [from === 'first' ? 'after' : 'before']: cursor };
  }
}

const orders = [
  ['the id', []],
  ['the id, backwards', [{ field: 'id', direction: 'desc' }]],
  ['the last change', [{ field: 'updatedAt', direction: 'desc' }]],
  ['status and the last change', [{ field: 'status' }, { field: 'updatedAt' }]],
  ['status, and the last change first', [{ field: 'status' }, { field: 'updatedAt', direction: 'desc' }]],
] as const;

describe.each(orders)('in the order of %s', (_name, asked) => {
  const order = parseOrder(asked);
  const expected = (selection: Selection): number[] =>
    records
      .filter((record) => fits(selection, record))
      .sort((one, other) => compareKeys(order, keyOf(order, flat(one)), keyOf(order, flat(other))))
      .map(({ id }) => id);

  test.each(['first', 'last'] as const)('short pages from the %s miss nothing and repeat nothing', async (from) => {
    const { seen, sizes } = await walk(seldom, order, 3, from);
    expect(seen).toEqual(from === 'first' ? expected(seldom) : expected(seldom).reverse());
    expect(Math.max(...sizes)).toBeLessThanOrEqual(3);
    expect(sizes.length).toBeGreaterThan(Math.ceil(seen.length / 3));
  });

  test('full pages are full', async () => {
    const { seen, sizes } = await walk(often, order, 100, 'first');
    expect(seen).toEqual(expected(often));
    expect(sizes.slice(0, -1).every((size) => size === 100)).toBe(true);
  });
});

describe('a scan', () => {
  /** How many records a page that is not full has looked at, by a clock that goes on by so many milliseconds for each command. */
  async function passed(milliseconds: number): Promise<number> {
    let time = 0;
    const now = () => new Date((time += milliseconds));
    const timed = createRecordRepository(connection, request, { now });
    const { records: found, stoppedAt } = await timed.page('wdc', seldom, { order: parseOrder([]), limit: 20 });
    expect(found.length).toBeLessThan(20);
    const ofMember = records.filter(({ values }) => values['member'] === 1);
    return stoppedAt ? ofMember.findIndex(({ id }) => id === stoppedAt[0]) + 1 : ofMember.length;
  }

  test('looks at more records with each command, and begins none that would end after thirty milliseconds', async () => {
    // 100, 300, 900 and 1,000: the next one would take another 7 ms.
    expect(await passed(7)).toBe(2_300);
    expect(await passed(8)).toBe(1_300);
  });

  test('looks at a thousand records or more, however slow the store is', async () => {
    expect(await passed(1_000)).toBe(1_300);
  });

  test('looks at all records within the time', async () => {
    expect(await passed(1)).toBe(records.filter(({ values }) => values['member'] === 1).length);
  });
});

test('a short page ends at the cursor that the other argument names', async () => {
  const order = parseOrder([]);
  const all = await walk(seldom, order, 100, 'first');
  const { edges } = await loadRecords(repository, 'wdc', { ...everything }, order, { first: 20 });
  const before = edges.at(-1)!.cursor;
  const { nodes, pageInfo } = await loadRecords(repository, 'wdc', seldom, order, { first: 5, before });
  expect(nodes.map(({ id }) => id)).toEqual(all.seen.filter((id) => id < 20));
  expect(pageInfo).toMatchObject({ hasNextPage: false });
});

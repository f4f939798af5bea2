import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import type { Connection } from 'mongoose';
import { connectPatiently } from '../../testing/connect-patiently';
import { createArraySource } from './array-source';
import type { CollectionRead, CollectionSource } from './collection-source';
import { toConnectionSource } from '../graphql/sorted-connection';
import { fulfils } from './filter';
import type { Condition } from './filter';
import { createMongoSource } from './mongo-source';
import { keyOf, parseOrder } from './order';
import type { Resource } from './resource';

interface Ticket {
  readonly id: number;
  readonly name: string | null;
  readonly open: boolean;
  readonly dueAt: Date | null;
}

const tickets: readonly Ticket[] = Array.from({ length: 30 }, (_, index) => ({
  id: index + 1,
  name: index % 4 === 0 ? null : ['b', 'B', 'é', '10', '9'][index % 5]!,
  open: index % 3 === 0,
  dueAt: index % 5 === 0 ? null : new Date(Date.UTC(2026, 0, (index * 7) % 11)),
}));

const resource: Resource<Ticket> = {
  fields: { id: ({ id }) => id },
  collectionFields: ['id'],
  sortable: { name: 'name', open: 'open', due_at: 'dueAt' },
};

let mongo: EmbeddedMongo;
let connection: Connection;
beforeAll(async () => {
  mongo = await startEmbeddedMongo();
  connection = await connectPatiently(mongo.urlOf('rest'));
  const collection = connection.collection<TicketDocument & { accountId: string }>('tickets');
  await collection.insertMany(tickets.map(({ id, ...ticket }) => ({ ...ticket, _id: id, accountId: 'wdc' })));
  await collection.insertOne({ _id: 31, accountId: 'acme', name: 'b', open: true, dueAt: null });
});
afterAll(async () => {
  await connection.close();
  await mongo.close();
});

type TicketDocument = Omit<Ticket, 'id'> & { readonly _id: number };

const mongoSource = (): CollectionSource<Ticket> =>
  createMongoSource<TicketDocument, Ticket>({
    collection: connection.collection('tickets'),
    where: { accountId: 'wdc' },
    toRecord: ({ _id, name, open, dueAt }) => ({ id: _id, name, open, dueAt }),
  });

describe.each([
  ['an array', () => createArraySource(tickets)],
  ['MongoDB', mongoSource],
])('a collection in %s', (_store, sourceOf) => {
  const read = async (sort: string, query: Partial<CollectionRead>) =>
    sourceOf().read({ order: parseOrder(resource, sort), limit: 100, skip: 0, fields: [], ...query });
  const ids = (records: readonly Ticket[]): number[] => records.map(({ id }) => id);

  test("counts the account's records", async () => {
    expect(await sourceOf().count()).toBe(30);
  });

  test.each(['id', '-id', 'name', '-name', 'open,-due_at', '-due_at,name', 'due_at,-id'])(
    'has everything on its side of every record, null included (%s)',
    async (sort) => {
      const order = parseOrder(resource, sort);
      const all = ids(await createArraySource(tickets).read({ order, limit: 100, skip: 0, fields: [] }));
      expect(ids(await read(sort, {}))).toEqual(all);
      for (const ticket of tickets.filter(({ id }) => id % 4 !== 2)) {
        const at = all.indexOf(ticket.id);
        const key = keyOf(order, ticket);
        expect(ids(await read(sort, { after: key, limit: 5 }))).toEqual(all.slice(at + 1, at + 6));
        expect(ids(await read(sort, { before: key, limit: 5 }))).toEqual(all.slice(Math.max(0, at - 5), at));
      }
    },
  );

  test.each<readonly [string, readonly Condition[]]>([
    ['one of some', [{ property: 'name', in: ['b', '9'] }]],
    ['none of some', [{ property: 'name', notIn: ['b', null] }]],
    ['absent', [{ property: 'dueAt', in: [null] }]],
    [
      'by id and time',
      [
        { property: 'id', within: { gt: 4, lte: 20 } },
        { property: 'dueAt', within: { gte: new Date(Date.UTC(2026, 0, 3)) } },
      ],
    ],
    ['a truth', [{ property: 'open', in: [true] }]],
  ])('filters in the same way (%s)', async (_what, filter) => {
    const expected = tickets.filter((ticket) => filter.every((condition) => fulfils(condition, ticket)));
    expect(expected.length).toBeGreaterThan(1);
    expect(ids(await read('id', { filter }))).toEqual(ids(expected));
    expect(await sourceOf().count(filter)).toBe(expected.length);
  });

  test('skips', async () => {
    expect(ids(await read('-id', { skip: 3, limit: 2 }))).toEqual([27, 26]);
    expect(ids(await read('-id', { skip: 30, limit: 2 }))).toEqual([]);
  });

  test('supports connections from both ends and between two cursors', async () => {
    const connectionSource = toConnectionSource(sourceOf(), []);
    const slice = { after: undefined, before: undefined, limit: 3 };
    expect(ids(await connectionSource.read({ ...slice, from: 'start' }))).toEqual([1, 2, 3]);
    expect(ids(await connectionSource.read({ ...slice, from: 'end' }))).toEqual([28, 29, 30]);
    expect(ids(await connectionSource.read({ ...slice, from: 'end', after: 8, before: 11 }))).toEqual([9, 10]);
    expect(ids(await connectionSource.read({ ...slice, from: 'start', after: 8, before: 11 }))).toEqual([9, 10]);
  });
});

import type { Document } from 'mongodb';
import { ObjectId } from 'mongodb';
import { useServer } from './test-server';
import { explain, insertTickets } from './test-tickets';

let clock = new Date('2030-01-01T00:00:00Z');
const { database } = useServer({ now: () => clock });

const tickets = (count?: number) => insertTickets(database(), count);

test('a lookup by _id examines one document', async () => {
  const rows = await tickets();
  expect(await explain(rows.find({ _id: 500 }))).toMatchObject({ indexName: '_id_', docsExamined: 1, nReturned: 1 });
  expect(await explain(rows.find({ _id: { $in: [1, 2, 2000] } }))).toMatchObject({
    indexName: '_id_',
    docsExamined: 2,
  });
});

test('without an index the whole collection is scanned', async () => {
  const rows = await tickets();
  expect(await explain(rows.find({ n: 5 }))).toMatchObject({ stages: ['COLLSCAN'], docsExamined: 1000, nReturned: 1 });
});

test('a compound index serves equality, range and sort', async () => {
  const rows = await tickets();
  await rows.createIndex({ account: 1, status: 1, n: -1 });
  const query = { account: 'wdc', status: 'open', n: { $gte: 600, $lt: 900 } };
  const ranged = await explain(rows.find(query));
  expect(ranged).toMatchObject({ indexName: 'account_1_status_1_n_-1', docsExamined: 50, nReturned: 50 });
  const page = await explain(rows.find({ account: 'wdc', status: 'open' }).sort({ n: -1 }).limit(10));
  expect(page).toMatchObject({ stages: ['FETCH', 'IXSCAN'], direction: 'forward', docsExamined: 10 });
  const reversed = await explain(rows.find({ account: 'wdc', status: 'open' }).sort({ n: 1 }).limit(10));
  expect(reversed).toMatchObject({ stages: ['FETCH', 'IXSCAN'], direction: 'backward', docsExamined: 10 });
  const ids = (await rows.find({ account: 'wdc', status: 'open' }).sort({ n: 1 }).limit(3).toArray()).map(({ n }) => n);
  expect(ids).toEqual([0, 6, 12]);
  const other = await explain(rows.find({ account: 'wdc' }).sort({ n: 1 }));
  expect(other.stages).toEqual(['SORT', 'FETCH', 'IXSCAN']);
});

test('an index with several values of a leading field gives the sort order by merging', async () => {
  const rows = await tickets();
  await rows.createIndex({ account: 1, status: 1, n: -1 });
  const filter = { account: 'wdc', status: { $in: ['open', 'closed'] } };
  for (const direction of [1, -1] as const) {
    const page = await explain(rows.find(filter).sort({ n: direction }).limit(10));
    expect(page).toMatchObject({ stages: ['FETCH', 'IXSCAN'], docsExamined: 10 });
    const [merged, sorted] = await Promise.all([
      rows.find(filter).sort({ n: direction }).toArray(),
      rows.find(filter).hint({ $natural: 1 }).sort({ n: direction }).toArray(),
    ]);
    expect(merged).toEqual(sorted);
  }
});

test('each branch of an $or uses its own index', async () => {
  const rows = await tickets();
  await rows.createIndexes([{ key: { n: 1 } }, { key: { account: 1, status: 1 } }]);
  const filter = { $or: [{ n: { $lt: 10 } }, { account: 'wdc', status: 'open', n: { $lt: 100 } }] };
  expect(await explain(rows.find(filter))).toMatchObject({ stages: ['FETCH', 'OR'], docsExamined: 100, nReturned: 25 });
  const found = await rows.find(filter).sort({ n: 1 }).toArray();
  expect(found).toEqual(await rows.find(filter).hint({ $natural: 1 }).sort({ n: 1 }).toArray());
  expect(await explain(rows.find({ $or: [{ n: 1 }, { tags: 'x' }] }))).toMatchObject({ stages: ['COLLSCAN'] });
});

test('a sort without a filter uses an index', async () => {
  const rows = await tickets();
  await rows.createIndex({ n: 1 });
  expect(await explain(rows.find().sort({ n: -1 }).limit(5))).toMatchObject({
    indexName: 'n_1',
    direction: 'backward',
    docsExamined: 5,
  });
});

test('every range gives the same result with and without an index', async () => {
  const values = [
    null,
    undefined,
    1,
    1,
    2.5,
    -3,
    NaN,
    'a',
    'ab',
    'b\0c',
    'b',
    'é',
    new Date(0),
    new Date(1),
    true,
    [1, 5],
    [],
    ['b'],
    new ObjectId(),
    { x: 1 },
  ];
  const operands = [null, 1, 0, 2.5, -3, 'a', 'ab', 'b', 'é', new Date(0), true, { x: 1 }];
  for (const direction of [1, -1] as const) {
    const [plain, indexed] = [database().collection<Document>('plain'), database().collection<Document>('indexed')];
    await indexed.createIndex({ v: direction });
    for (const rows of [plain, indexed]) {
      await rows.insertMany(values.map((v, i) => ({ _id: i as never, ...(v !== undefined && { v }) })));
    }
    for (const operand of operands) {
      for (const operator of ['$eq', '$gt', '$gte', '$lt', '$lte', '$ne']) {
        const filter = { v: { [operator]: operand } };
        const [expected, found] = await Promise.all(
          [plain, indexed].map((rows) => rows.find(filter).sort({ _id: 1 }).toArray()),
        );
        expect({ filter, found }).toEqual({ filter, found: expected });
      }
    }
    const between = { v: { $gt: 2, $lt: 4 } };
    const [expected, found] = await Promise.all(
      [plain, indexed].map((rows) => rows.find(between).sort({ _id: 1 }).toArray()),
    );
    expect(found).toEqual(expected);
  }
});

test('indexes stay correct when documents change', async () => {
  const rows = await tickets(300);
  await rows.createIndex({ status: 1, n: 1 });
  await rows.updateMany({ status: 'open' }, { $set: { status: 'closed' } });
  await rows.deleteMany({ n: { $gte: 200 } });
  expect(await explain(rows.find({ status: 'open' }))).toMatchObject({ keysExamined: 0 });
  expect(await explain(rows.find({ status: 'closed' }))).toMatchObject({ keysExamined: 134, nReturned: 134 });
});

test('a multikey index matches every element, and returns a document once', async () => {
  const rows = await tickets(10);
  await rows.createIndex({ tags: 1 });
  await rows.updateMany({ _id: { $lt: 4 } }, { $set: { tags: ['a', 'b'] } });
  expect(await explain(rows.find({ tags: 'a' }))).toMatchObject({ indexName: 'tags_1', docsExamined: 4 });
  expect(await rows.find({ tags: { $in: ['a', 'b'] } }).toArray()).toHaveLength(4);
  expect(await rows.find({ tags: { $gte: 'a' } }).toArray()).toHaveLength(4);
});

test('a unique index refuses duplicates on insert and update, and cannot be created over duplicates', async () => {
  const rows = await tickets(4);
  await expect(rows.createIndex({ account: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 });
  expect(await rows.indexes()).toHaveLength(1);
  await rows.createIndex({ account: 1, n: 1 }, { unique: true });
  await expect(rows.updateOne({ _id: 2 }, { $set: { n: 0 } })).rejects.toMatchObject({
    code: 11000,
    keyPattern: { account: 1, n: 1 },
    keyValue: { account: 'wdc', n: 0 },
    message: expect.stringMatching(
      /E11000 duplicate key error collection: test_\d+\.tickets index: account_1_n_1 dup key: \{ account: "wdc", n: 0 \}/,
    ) as string,
  });
  await expect(rows.insertOne({ _id: 1, account: 'x', status: '', n: 9 })).rejects.toMatchObject({
    code: 11000,
    keyPattern: { _id: 1 },
    keyValue: { _id: 1 },
  });
  expect(await rows.findOne({ _id: 2 })).toMatchObject({ n: 2 });
  expect(await rows.updateOne({ _id: 2 }, { $set: { status: 'same key' } })).toMatchObject({ modifiedCount: 1 });
});

test('one of 100 concurrent inserts of the same unique key succeeds', async () => {
  const rows = database().collection('rows');
  await rows.createIndex({ key: 1 }, { unique: true });
  const results = await Promise.allSettled(Array.from({ length: 100 }, () => rows.insertOne({ key: 'x' })));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('sparse and partial unique indexes allow duplicates among documents that they do not cover', async () => {
  const rows = database().collection<Document>('rows');
  await rows.createIndex({ a: 1 }, { unique: true, sparse: true });
  await rows.createIndex({ b: 1 }, { unique: true, partialFilterExpression: { open: true } });
  await rows.insertMany([{}, {}, { b: 1 }, { b: 1 }, { a: 1, b: 1, open: true }]);
  await expect(rows.insertOne({ a: 1 })).rejects.toMatchObject({ code: 11000 });
  await expect(rows.insertOne({ b: 1, open: true })).rejects.toMatchObject({ code: 11000 });
  await expect(rows.updateOne({ b: 1, open: null }, { $set: { open: true } })).rejects.toMatchObject({ code: 11000 });
  expect(await rows.find({ a: null }).toArray()).toHaveLength(4);
  expect(await rows.find({ b: 1 }).toArray()).toHaveLength(3);
  expect(await explain(rows.find({ b: 1, open: true }))).toMatchObject({ indexName: 'b_1', docsExamined: 1 });
  expect((await explain(rows.find({ b: 1 }))).stages).toEqual(['COLLSCAN']);
  expect(await explain(rows.find({ a: 1 }))).toMatchObject({ indexName: 'a_1', docsExamined: 1 });
});

test('a hint selects the index, and an unknown index is refused', async () => {
  const rows = await tickets(10);
  await rows.createIndex({ n: 1 });
  expect(await explain(rows.find({ _id: 1 }).hint({ n: 1 }))).toMatchObject({ indexName: 'n_1', docsExamined: 10 });
  await expect(rows.find().hint('nope').toArray()).rejects.toMatchObject({ code: 2 });
});

test('creating the same index twice is idempotent; a different one with its name or key is refused', async () => {
  const rows = database().collection('rows');
  expect(await rows.createIndex({ a: 1 }, { unique: true })).toBe('a_1');
  expect(await rows.createIndex({ a: 1 }, { unique: true })).toBe('a_1');
  await expect(rows.createIndex({ a: 1 })).rejects.toMatchObject({ code: 86 });
  await expect(rows.createIndex({ a: 1 }, { name: 'other', unique: true })).rejects.toMatchObject({ code: 85 });
  await expect(rows.createIndex({ b: 1 }, { name: 'a_1' })).rejects.toMatchObject({ code: 86 });
  await expect(rows.createIndex({ a: 'text' })).rejects.toThrow("Index type 'text' of 'a' is not supported");
  await expect(rows.createIndex({ c: 1 }, { collation: { locale: 'en' } })).rejects.toThrow(
    "'collation' is not supported",
  );
});

test('indexes are listed and dropped', async () => {
  const rows = database().collection('rows');
  await rows.createIndexes([{ key: { a: 1 } }, { key: { b: -1, c: 1 }, name: 'bc' }]);
  expect((await rows.indexes()).map(({ name }) => name)).toEqual(['_id_', 'a_1', 'bc']);
  await rows.dropIndex('bc');
  await rows.dropIndex('a_1');
  await expect(rows.dropIndex('a_1')).rejects.toMatchObject({ code: 27 });
  await expect(rows.dropIndex('_id_')).rejects.toMatchObject({ code: 72 });
  expect(await rows.indexes()).toHaveLength(1);
});

test('a TTL index removes expired documents', async () => {
  const rows = database().collection<Document>('rows');
  await rows.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
  await rows.insertMany([
    { at: new Date('2029-12-31T23:59:30Z') },
    { at: new Date('2030-01-01T00:05:00Z') },
    { at: 'never' },
    {},
  ]);
  clock = new Date('2030-01-01T00:01:00Z');
  while ((await rows.countDocuments()) > 3) await new Promise(setImmediate);
  clock = new Date('2030-01-01T00:06:00.001Z');
  while ((await rows.countDocuments()) > 2) await new Promise(setImmediate);
  expect(await rows.find({}, { projection: { _id: 0 } }).toArray()).toEqual([{ at: 'never' }, {}]);
});

import { Long } from 'mongodb';
import type { Document } from 'mongodb';
import { useServer } from './test-server';

const { database } = useServer();

async function sales() {
  const db = database();
  const rows = db.collection<Document>('sales');
  await rows.insertMany([
    { _id: 1 as never, item: 'a', n: 2, at: new Date('2030-01-01') },
    { _id: 2 as never, item: 'b', n: 5, at: new Date('2030-01-02') },
    { _id: 3 as never, item: 'a', n: 3, at: new Date('2030-02-01') },
  ]);
  await db.collection<Document>('items').insertMany([{ _id: 'a' as never, name: 'Apple' }]);
  return rows;
}

test('groups, sorts and computes', async () => {
  const rows = await sales();
  const totals = await rows
    .aggregate([
      { $match: { n: { $gt: 1 } } },
      { $group: { _id: '$item', total: { $sum: '$n' }, first: { $min: '$at' } } },
      { $sort: { _id: 1 } },
    ])
    .toArray();
  expect(totals).toEqual([
    { _id: 'a', total: 5, first: new Date('2030-01-01') },
    { _id: 'b', total: 5, first: new Date('2030-01-02') },
  ]);
});

test('joins another collection, unwinds and projects', async () => {
  const rows = await sales();
  const joined = await rows
    .aggregate([
      { $match: { _id: 1 } },
      { $lookup: { from: 'items', localField: 'item', foreignField: '_id', as: 'details' } },
      { $unwind: '$details' },
      { $project: { _id: 0, name: '$details.name', month: { $dateToString: { date: '$at', format: '%Y-%m' } } } },
    ])
    .toArray();
  expect(joined).toEqual([{ name: 'Apple', month: '2030-01' }]);
});

test('$lookup with a pipeline filters, sorts and limits the matches of each document', async () => {
  const rows = await sales();
  await rows.createIndex({ item: 1, n: 1 });
  const found = async (...pipeline: Document[]) => {
    const lookup = { from: 'sales', localField: 'item', foreignField: 'item', pipeline, as: 'found' };
    const [apple] = await rows
      .aggregate<{ found: Document[] }>([{ $match: { _id: 1 } }, { $lookup: lookup }])
      .toArray();
    return apple?.found.map(({ _id }) => _id as number);
  };
  expect(await found()).toEqual([1, 3]);
  expect(await found({ $sort: { n: -1 } }, { $limit: 1 })).toEqual([3]);
  expect(await found({ $match: { n: { $lt: 3 } } })).toEqual([1]);
  expect(await found({ $sort: { n: -1 } }, { $skip: 1 })).toEqual([1]);
});

test('$lookup by equality handles arrays, null, missing fields and missing collections as MongoDB does', async () => {
  const db = database();
  await db
    .collection<Document>('local')
    .insertMany([
      { _id: 1 as never, ref: 'a' },
      { _id: 2 as never, ref: ['a', 'c', 'none'] },
      { _id: 3 as never, ref: null },
      { _id: 4 as never },
      { _id: 5 as never, ref: new Date(0) },
      { _id: 6 as never, ref: 2 },
      { _id: 7 as never, ref: [] },
    ]);
  await db
    .collection<Document>('foreign')
    .insertMany([
      { _id: 'a' as never, key: 'a' },
      { _id: 'b' as never, key: null },
      { _id: 'c' as never, key: ['c', 'd'] },
      { _id: 'd' as never },
      { _id: 'e' as never, key: Long.fromNumber(2) },
      { _id: 'f' as never, key: new Date(0) },
    ]);
  const idsOf = async (from: string, foreignField: string) => {
    const lookup = { from, localField: 'ref', foreignField, as: 'found' };
    const joined = await db
      .collection('local')
      .aggregate<{ found: { _id: string }[] }>([{ $sort: { _id: 1 } }, { $lookup: lookup }])
      .toArray();
    return joined.map(({ found }) => found.map(({ _id }) => _id).sort());
  };
  const nothing = [[], [], [], [], [], [], []];
  expect(await idsOf('foreign', '_id')).toEqual([['a'], ['a', 'c'], [], [], [], [], []]);
  expect(await idsOf('nowhere', '_id')).toEqual(nothing);
  const byKey = [['a'], ['a', 'c'], ['b', 'd'], ['b', 'd'], ['f'], ['e'], []];
  expect(await idsOf('foreign', 'key')).toEqual(byKey);
  await db.collection('foreign').createIndex({ key: 1 });
  expect(await idsOf('foreign', 'key')).toEqual(byKey);
});

test('a $lookup can use the result of the one before it', async () => {
  const db = database();
  await db.collection<Document>('rows').insertOne({ _id: 1 as never, item: 'a' });
  await db.collection<Document>('items').insertOne({ _id: 'a' as never, name: 'Apple' });
  await db.collection<Document>('makers').insertOne({ _id: 'Apple' as never, city: 'Ghent' });
  const [joined] = await db
    .collection('rows')
    .aggregate([
      { $match: { _id: 1 } },
      { $lookup: { from: 'items', localField: 'item', foreignField: '_id', as: 'details' } },
      { $lookup: { from: 'makers', localField: 'details.name', foreignField: '_id', as: 'makers' } },
    ])
    .toArray();
  expect(joined).toMatchObject({ item: 'a', details: [{ name: 'Apple' }], makers: [{ city: 'Ghent' }] });
});

test('facets and counts', async () => {
  const rows = await sales();
  const [facets] = await rows
    .aggregate([{ $facet: { all: [{ $count: 'n' }], a: [{ $match: { item: 'a' } }, { $count: 'n' }] } }])
    .toArray();
  expect(facets).toEqual({ all: [{ n: 3 }], a: [{ n: 2 }] });
});

test('results are returned in batches', async () => {
  const rows = database().collection('rows');
  await rows.insertMany(Array.from({ length: 300 }, (_, n) => ({ n })));
  expect(await rows.aggregate([{ $addFields: { m: { $add: ['$n', 1] } } }], { batchSize: 50 }).toArray()).toHaveLength(
    300,
  );
});

test('leading stages use indexes and keep stored types', async () => {
  const rows = database().collection<Document>('rows', { promoteValues: false });
  await rows.createIndex({ n: 1 });
  await rows.insertMany([1, 2, 3].map((n) => ({ _id: n as never, n: Long.fromNumber(n) })));
  const plan = await rows.aggregate([{ $match: { n: 2 } }, { $group: { _id: null } }]).explain();
  expect(plan).toMatchObject({ queryPlanner: { winningPlan: { inputStage: { indexName: 'n_1' } } } });
  const [first] = await rows.aggregate([{ $match: { n: { $gte: 2 } } }, { $sort: { n: -1 } }, { $limit: 1 }]).toArray();
  expect(first).toMatchObject({ n: Long.fromNumber(3) });
});

test('a collection that does not exist gives no results', async () => {
  expect(
    await database()
      .collection('none')
      .aggregate([{ $match: {} }])
      .toArray(),
  ).toEqual([]);
});

test('an unsupported stage or operator is refused, and the error names it', async () => {
  const rows = await sales();
  const refused = (pipeline: Document[]) => expect(rows.aggregate(pipeline).toArray()).rejects;
  await refused([{ $out: 'x' }]).toThrow("'$out'");
  await refused([{ $changeStream: {} }]).toThrow("'$changeStream'");
  await refused([{ $project: { x: { $frobnicate: 1 } } }]).toThrow('$frobnicate');
  await refused([{ $match: {}, $limit: 1 }]).toMatchObject({ code: 40323 });
  await refused([{ $project: { x: { $function: { body: 'x', args: [], lang: 'js' } } } }]).toThrow('$function');
});

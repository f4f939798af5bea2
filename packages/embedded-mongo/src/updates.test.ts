import { Binary, Decimal128, ObjectId } from 'mongodb';
import type { Document, UpdateOptions } from 'mongodb';
import { useServer } from './test-server';

const { database } = useServer({ now: () => new Date('2030-01-02T03:04:05.006Z') });

/** Inserts a document, updates it and returns the result. */
async function updated(
  document: Document,
  update: Document,
  options: UpdateOptions = {},
  filter: Document = {},
): Promise<Document> {
  const rows = database().collection<Document>('rows');
  await rows.insertOne({ _id: 1, ...document } as never);
  await rows.updateOne(filter, update, options);
  return (await rows.findOne({}, { projection: { _id: 0 } })) as Document;
}

test.each<[string, Document, Document, Document]>([
  ['$set creates parents', { a: 1 }, { $set: { 'b.c': 2 } }, { a: 1, b: { c: 2 } }],
  ['$set into an array position', { a: [1] }, { $set: { 'a.2': 3 } }, { a: [1, null, 3] }],
  ['$unset removes', { a: 1, b: { c: 1, d: 2 } }, { $unset: { a: '', 'b.c': '' } }, { b: { d: 2 } }],
  ['$inc adds and starts at zero', { a: 1 }, { $inc: { a: 2, 'b.c': -1 } }, { a: 3, b: { c: -1 } }],
  ['$mul', { a: 3 }, { $mul: { a: 2, b: 5 } }, { a: 6, b: 0 }],
  ['$min and $max', { a: 5, b: 5 }, { $min: { a: 3, c: 1 }, $max: { b: 3 } }, { a: 3, b: 5, c: 1 }],
  ['$rename', { a: 1 }, { $rename: { a: 'b.c' } }, { b: { c: 1 } }],
  ['$currentDate uses the clock', {}, { $currentDate: { at: true } }, { at: new Date('2030-01-02T03:04:05.006Z') }],
  ['$push', { a: [1] }, { $push: { a: 2, b: { c: 1 } } }, { a: [1, 2], b: [{ c: 1 }] }],
  ['$push with modifiers', { a: [5, 1] }, { $push: { a: { $each: [3, 4], $sort: -1, $slice: 3 } } }, { a: [5, 4, 3] }],
  ['$push at a position', { a: [1, 4] }, { $push: { a: { $each: [2, 3], $position: 1 } } }, { a: [1, 2, 3, 4] }],
  ['$addToSet', { a: [1, 'x'] }, { $addToSet: { a: { $each: [1, 2, 'x'] } } }, { a: [1, 'x', 2] }],
  ['$pull by value', { a: [1, 2, 1] }, { $pull: { a: 1 } }, { a: [2] }],
  ['$pull by condition', { a: [1, 5, 9] }, { $pull: { a: { $gte: 5 } } }, { a: [1] }],
  ['$pull by document', { a: [{ x: 1, y: 1 }, { x: 2 }] }, { $pull: { a: { x: 1 } } }, { a: [{ x: 2 }] }],
  ['$pullAll', { a: [1, 2, 3] }, { $pullAll: { a: [1, 3] } }, { a: [2] }],
  ['$pop', { a: [1, 2, 3], b: [1, 2] }, { $pop: { a: 1, b: -1 } }, { a: [1, 2], b: [2] }],
  ['$bit', { a: 5 }, { $bit: { a: { and: 4 } } }, { a: 4 }],
  ['$[] changes all elements', { a: [1, 2] }, { $inc: { 'a.$[]': 10 } }, { a: [11, 12] }],
  ['$setOnInsert does not change an existing document', { a: 1 }, { $setOnInsert: { a: 2, b: 1 } }, { a: 1 }],
])('%s', async (_name, before, update, after) => {
  expect(await updated(before, update)).toEqual(after);
});

test('new fields are in the order of their names, also with several operators', async () => {
  const rows = database().collection<Document>('rows');
  await rows.updateOne({ _id: 1 } as never, { $set: { c: 1, a: 1 }, $setOnInsert: { d: 1, b: 1 } }, { upsert: true });
  expect(Object.keys((await rows.findOne({})) ?? {})).toEqual(['_id', 'a', 'b', 'c', 'd']);
  await rows.updateOne({}, { $set: { 'list.10': 'last', 'list.9': 'ninth' } });
  expect(Object.keys((await rows.findOne({}))?.['list'] as object)).toEqual(['9', '10']);
});

test('a pipeline computes from the document and keeps _id', async () => {
  expect(
    await updated({ a: 2, b: 3 }, [{ $set: { c: { $multiply: ['$a', '$b'] } } }, { $unset: 'a' }] as never),
  ).toEqual({ b: 3, c: 6 });
});

test('array filters and the positional operator select elements', async () => {
  const list = {
    list: [
      { id: 1, done: false },
      { id: 2, done: false },
    ],
  };
  const filtered = await updated(
    list,
    { $set: { 'list.$[e].done': true } },
    { arrayFilters: [{ 'e.id': { $gt: 1 } }] },
  );
  expect(filtered).toEqual({
    list: [
      { id: 1, done: false },
      { id: 2, done: true },
    ],
  });
  const positional = await updated(list, { $set: { 'list.$.done': true } }, {}, { 'list.id': 2 });
  expect(positional).toEqual({
    list: [
      { id: 1, done: false },
      { id: 2, done: true },
    ],
  });
  const elemMatch = await updated(
    list,
    { $inc: { 'list.$.id': 10 } },
    {},
    { list: { $elemMatch: { id: 1, done: false } } },
  );
  expect(elemMatch).toEqual({
    list: [
      { id: 11, done: false },
      { id: 2, done: false },
    ],
  });
});

test.each<[string, Document, Document, number]>([
  ['$inc of a string', { a: 'x' }, { $inc: { a: 1 } }, 14],
  ['$inc by a string', { a: 1 }, { $inc: { a: 'x' } }, 14],
  ['$inc of a Decimal128', { a: Decimal128.fromString('1') }, { $inc: { a: 1 } }, 2],
  ['$push to a number', { a: 1 }, { $push: { a: 1 } }, 2],
  ['a path through a number', { a: 1 }, { $set: { 'a.b': 1 } }, 28],
  ['two operators on one path', { a: 1 }, { $set: { a: 1 }, $inc: { a: 1 } }, 40],
  ['two operators on a path and its parent', { a: {} }, { $set: { a: 1 }, $unset: { 'a.b': 1 } }, 40],
  ['an unknown operator', { a: 1 }, { $frobnicate: { a: 1 } }, 9],
  ['another _id', {}, { $set: { _id: 2 } }, 66],
  ['an unused array filter', {}, { $set: { a: 1 } }, 9],
  ['a missing array filter', { a: [1] }, { $set: { 'a.$[x]': 1 } }, 2],
  ['an empty path part', {}, { $set: { 'a..b': 1 } }, 56],
  ['a prototype path', {}, { $set: { '__proto__.polluted': 1 } }, 2],
])('%s is refused and changes nothing', async (name, document, update, code) => {
  const rows = database().collection<Document>('rows');
  await rows.insertOne({ _id: 1, ...document } as never);
  const options = name === 'an unused array filter' ? { arrayFilters: [{ 'e.x': 1 }] } : {};
  await expect(rows.updateOne({}, update, options)).rejects.toMatchObject({ code });
  expect(await rows.findOne({})).toEqual({ _id: 1, ...document });
});

test('an upsert takes equalities of the filter, then the update', async () => {
  const rows = database().collection<Document>('rows');
  const { upsertedId } = await rows.updateOne(
    { account: 'wdc', 'key.part': 7, n: { $gt: 3 } },
    { $set: { a: 1 }, $setOnInsert: { b: 2 } },
    { upsert: true },
  );
  expect(upsertedId).toBeInstanceOf(ObjectId);
  expect(await rows.findOne({})).toEqual({ _id: upsertedId, account: 'wdc', key: { part: 7 }, a: 1, b: 2 });
  expect(await rows.replaceOne({ _id: 5 as never }, { x: 1 }, { upsert: true })).toMatchObject({ upsertedId: 5 });
  expect(await rows.findOne({ _id: 5 as never })).toEqual({ _id: 5, x: 1 });
});

test('a replacement keeps only _id; an update without a change counts as not modified', async () => {
  const rows = database().collection<Document>('rows');
  await rows.insertOne({ _id: 1 as never, a: 1 });
  expect(await rows.replaceOne({ _id: 1 as never }, { b: 2 })).toMatchObject({ matchedCount: 1, modifiedCount: 1 });
  expect(await rows.updateOne({ _id: 1 as never }, { $set: { b: 2 } })).toMatchObject({
    matchedCount: 1,
    modifiedCount: 0,
  });
  expect(await rows.findOne({})).toEqual({ _id: 1, b: 2 });
});

test('an update distinguishes binaries that are equal as text', async () => {
  expect(
    await updated({ a: new Binary(Buffer.from([0xff])) }, { $set: { a: new Binary(Buffer.from([0xfe])) } }),
  ).toEqual({
    a: new Binary(Buffer.from([0xfe])),
  });
});

test('findOneAndUpdate, findOneAndReplace and findOneAndDelete return the old or the new document', async () => {
  const rows = database().collection<{ _id: number; n: number; a?: number }>('rows');
  await rows.insertMany([
    { _id: 1, n: 1 },
    { _id: 2, n: 2 },
  ]);
  expect(await rows.findOneAndUpdate({}, { $set: { a: 1 } }, { sort: { n: -1 } })).toEqual({ _id: 2, n: 2 });
  expect(
    await rows.findOneAndUpdate({ _id: 2 }, { $inc: { n: 1 } }, { returnDocument: 'after', projection: { n: 1 } }),
  ).toEqual({ _id: 2, n: 3 });
  expect(await rows.findOneAndReplace({ _id: 1 }, { n: 9 }, { returnDocument: 'after' })).toEqual({ _id: 1, n: 9 });
  expect(await rows.findOneAndUpdate({ _id: 7 }, { $set: { n: 7 } }, { upsert: true })).toBeNull();
  expect(
    await rows.findOneAndUpdate({ _id: 8 }, { $set: { n: 8 } }, { upsert: true, returnDocument: 'after' }),
  ).toEqual({ _id: 8, n: 8 });
  expect(await rows.findOneAndDelete({ _id: 7 })).toEqual({ _id: 7, n: 7 });
  expect(await rows.findOneAndDelete({ _id: 7 })).toBeNull();
});

test('ordered bulk writes stop at the first error, unordered ones continue', async () => {
  const rows = database().collection<{ _id: number }>('rows');
  await rows.insertOne({ _id: 2 });
  await expect(rows.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }])).rejects.toMatchObject({ code: 11000 });
  expect(await rows.countDocuments()).toBe(2);
  await expect(rows.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 4 }], { ordered: false })).rejects.toMatchObject({
    code: 11000,
  });
  expect(await rows.countDocuments()).toBe(3);
  const result = await rows.bulkWrite([
    { deleteOne: { filter: { _id: 1 } } },
    { updateOne: { filter: { _id: 9 }, update: { $set: {} }, upsert: true } },
  ]);
  expect(result).toMatchObject({ deletedCount: 1, upsertedCount: 1 });
});

test('exactly one of 200 concurrent updates claims a document', async () => {
  const rows = database().collection<{ _id: number; owner: number | null }>('rows');
  await rows.insertOne({ _id: 1, owner: null });
  const claims = Array.from({ length: 200 }, (_, i) =>
    rows.findOneAndUpdate({ _id: 1, owner: null }, { $set: { owner: i } }),
  );
  const won = (await Promise.all(claims)).filter((before) => before !== null);
  expect(won).toHaveLength(1);
});

test('1,000 concurrent increments add up to 1,000', async () => {
  const rows = database().collection<{ _id: number; n: number }>('rows');
  await rows.insertOne({ _id: 1, n: 0 });
  await Promise.all(Array.from({ length: 1000 }, () => rows.updateOne({ _id: 1 }, { $inc: { n: 1 } })));
  expect(await rows.findOne({})).toEqual({ _id: 1, n: 1000 });
});

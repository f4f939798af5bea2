import { Binary, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp, UUID } from 'mongodb';
import type { Document } from 'mongodb';
import { useServer } from './test-server';

const { database } = useServer();

async function rowsOf(...documents: Document[]) {
  const rows = database().collection<Document>('rows');
  await rows.insertMany(documents.map((document, i) => ({ _id: i + 1, ...document })) as never[]);
  return {
    rows,
    ids: async (filter: Document) => (await rows.find(filter).toArray()).map(({ _id: id }) => id as unknown as number),
  };
}

test('a cursor returns batches, and applies sort, skip, limit and projection', async () => {
  const rows = database().collection<{ _id: number; n: number; m: number }>('rows');
  await rows.insertMany(Array.from({ length: 250 }, (_, i) => ({ _id: i, n: 249 - i, m: i % 10 })));
  expect(await rows.find({}, { batchSize: 7 }).toArray()).toHaveLength(250);
  const page = await rows
    .find({ m: { $lt: 5 } }, { projection: { n: 1, _id: 0 } })
    .sort({ n: 1 })
    .skip(2)
    .limit(3)
    .toArray();
  expect(page).toEqual([{ n: 7 }, { n: 8 }, { n: 9 }]);
  const sorted = await rows.find().sort({ m: -1, n: 1 }).limit(2).toArray();
  expect(sorted.map(({ _id: id }) => id)).toEqual([249, 239]);
});

test('a cursor stays correct while documents are removed and added', async () => {
  const rows = database().collection<{ _id: number }>('rows');
  await rows.insertMany(Array.from({ length: 100 }, (_, i) => ({ _id: i })));
  const cursor = rows.find({ _id: { $gte: 0 } }, { batchSize: 10 });
  const seen: number[] = [];
  for await (const { _id: id } of cursor) {
    seen.push(id);
    if (id === 9) await rows.deleteMany({ _id: { $lt: 20 } });
    if (id === 20) await rows.insertOne({ _id: 1000 });
  }
  expect(seen.slice(0, 12)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, expect.any(Number), expect.any(Number)]);
  expect(seen).toContain(1000);
  expect(new Set(seen).size).toBe(seen.length);
});

test('killCursors closes a cursor on the server', async () => {
  const db = database();
  await db.collection('rows').insertMany(Array.from({ length: 10 }, () => ({})));
  const { cursor } = (await db.command({ find: 'rows', batchSize: 2 })) as { cursor: { id: unknown } };
  const killed = await db.command({ killCursors: 'rows', cursors: [cursor.id] });
  expect(killed['cursorsKilled']).toHaveLength(1);
  await expect(db.command({ getMore: cursor.id, collection: 'rows' })).rejects.toMatchObject({ code: 43 });
});

test('every BSON type is returned as it was stored', async () => {
  const rows = database().collection('types', { promoteValues: false, promoteBuffers: false, bsonRegExp: true });
  const document = {
    _id: new ObjectId(),
    int: new Int32(1),
    double: new Double(1),
    long: Long.fromString('9007199254740993'),
    smallLong: Long.fromNumber(5),
    decimal: Decimal128.fromString('0.10'),
    binary: new Binary(Buffer.from([0, 255, 254]), 0),
    uuid: new UUID('6f9619ff-8b86-4011-b42d-00c04fc964ff'),
    date: new Date(-5),
    timestamp: new Timestamp({ t: 5, i: 6 }),
    min: new MinKey(),
    max: new MaxKey(),
    nothing: null,
    nested: { list: [new Double(2), [new Int32(3)], { deep: new Long(4) }] },
  };
  await rows.insertOne(document);
  await rows.updateOne(
    { _id: document._id },
    { $set: { added: new Long(7) }, $inc: { int: 1, double: 1, smallLong: 1 } },
  );
  const found = await rows.findOne({ _id: document._id });
  expect(found).toEqual({
    ...document,
    int: new Int32(2),
    double: new Double(2),
    smallLong: Long.fromNumber(6),
    added: new Long(7),
  });
  const projected = await rows.findOne({}, { projection: { nested: 1, double: 1 } });
  expect(projected).toEqual({ _id: document._id, double: new Double(2), nested: document.nested });
});

test('equality compares across numeric types and distinguishes binaries', async () => {
  const { ids } = await rowsOf(
    { v: new Int32(5) },
    { v: new Double(5) },
    { v: Long.fromNumber(5) },
    { v: Decimal128.fromString('5') },
    { v: '5' },
    { v: new Binary(Buffer.from([0xff])) },
    { v: new Binary(Buffer.from([0xfe])) },
    { v: Long.fromString('9007199254740993') },
    { v: 9007199254740992 },
  );
  expect(await ids({ v: 5 })).toEqual([1, 2, 3, 4]);
  expect(await ids({ v: Long.fromNumber(5) })).toEqual([1, 2, 3, 4]);
  expect(await ids({ v: new Binary(Buffer.from([0xfe])) })).toEqual([7]);
  expect(await ids({ v: Long.fromString('9007199254740993') })).toEqual([8]);
  expect(await ids({ v: { $gt: 9007199254740992 } })).toEqual([8]);
});

test('null also matches missing fields; $exists and $type distinguish them', async () => {
  const { ids } = await rowsOf(
    { a: null },
    {},
    { a: 1 },
    { a: new ObjectId() },
    { a: [] },
    { a: 'x' },
    { a: new Date() },
  );
  expect(await ids({ a: null })).toEqual([1, 2]);
  expect(await ids({ a: { $ne: null } })).toEqual([3, 4, 5, 6, 7]);
  expect(await ids({ a: { $exists: true } })).toEqual([1, 3, 4, 5, 6, 7]);
  expect(await ids({ a: { $exists: false } })).toEqual([2]);
  expect(await ids({ a: { $type: 'objectId' } })).toEqual([4]);
  expect(await ids({ a: { $type: ['string', 'date', 10] } })).toEqual([1, 6, 7]);
});

test('comparisons match only values of the same type', async () => {
  const { ids } = await rowsOf({ v: 1 }, { v: '1' }, { v: new Date(5) }, { v: null }, { v: true }, { v: 3 });
  expect(await ids({ v: { $gt: 0 } })).toEqual([1, 6]);
  expect(await ids({ v: { $gte: new Date(0) } })).toEqual([3]);
  expect(await ids({ v: { $lt: '2' } })).toEqual([2]);
  expect(await ids({ v: { $gte: null } })).toEqual([4]);
});

test('arrays match by element, as a whole and with $elemMatch, $all and $size', async () => {
  const { ids } = await rowsOf(
    { t: ['a', 'b'] },
    { t: ['b'] },
    { t: [] },
    {
      t: [
        { x: 1, y: 2 },
        { x: 2, y: 1 },
      ],
    },
  );
  expect(await ids({ t: 'b' })).toEqual([1, 2]);
  expect(await ids({ t: ['a', 'b'] })).toEqual([1]);
  expect(await ids({ t: { $size: 0 } })).toEqual([3]);
  expect(await ids({ t: { $all: ['a', 'b'] } })).toEqual([1]);
  expect(await ids({ t: { $elemMatch: { x: 1, y: 1 } } })).toEqual([]);
  expect(await ids({ t: { $elemMatch: { x: 2, y: 1 } } })).toEqual([4]);
  expect(await ids({ 't.x': 2, 't.y': 2 })).toEqual([4]);
  expect(await ids({ 't.0': 'b' })).toEqual([2]);
  expect(await ids({ t: { $in: ['a', /^B$/i] } })).toEqual([1, 2]);
  expect(await ids({ t: { $nin: ['a', 'b'] } })).toEqual([3, 4]);
});

test('logic, regular expressions and $expr work', async () => {
  const { ids } = await rowsOf({ a: 1, b: 2, s: 'Alpha' }, { a: 2, b: 1, s: 'beta' }, { a: 3, b: 3, s: 'a\nb' });
  expect(await ids({ $or: [{ a: 1 }, { b: 1 }] })).toEqual([1, 2]);
  expect(await ids({ $nor: [{ a: 1 }, { b: 1 }] })).toEqual([3]);
  expect(await ids({ a: { $not: { $gt: 1 } } })).toEqual([1]);
  expect(await ids({ s: /^al/i })).toEqual([1]);
  expect(await ids({ s: { $regex: 'ETA$', $options: 'i' } })).toEqual([2]);
  expect(await ids({ $expr: { $gt: ['$a', '$b'] } })).toEqual([2]);
  expect(await ids({ a: { $mod: [2, 1] }, $comment: 'odd' })).toEqual([1, 3]);
});

test('an unsupported operator is refused, and the error names it', async () => {
  const rows = database().collection('rows');
  await rows.insertOne({ a: 1 });
  await expect(rows.find({ a: { $near: 1 } } as Document).toArray()).rejects.toMatchObject({
    code: 2,
    message: expect.stringContaining('$near') as string,
  });
  await expect(rows.find({ $where: 'true' }).toArray()).rejects.toMatchObject({
    code: 2,
    message: expect.stringContaining('$where') as string,
  });
  await expect(rows.find({ $text: { $search: 'x' } }).toArray()).rejects.toMatchObject({
    code: 2,
    message: expect.stringContaining('$text') as string,
  });
  await expect(rows.find({}, { collation: { locale: 'en' } }).toArray()).rejects.toThrow(
    "Option 'collation' is not supported",
  );
});

test('sorting follows the BSON order of types', async () => {
  const { rows } = await rowsOf(
    { v: 'b' },
    { v: 2 },
    {},
    { v: null },
    { v: new Date(0) },
    { v: -1.5 },
    { v: { a: 1 } },
    { v: true },
    { v: 'B' },
    { v: 'é' },
  );
  const sorted = await rows.find().sort({ v: 1, _id: 1 }).toArray();
  expect(sorted.map(({ _id: id }) => id)).toEqual([3, 4, 6, 2, 9, 1, 10, 7, 8, 5]);
});

test('projections include, exclude, go into arrays and compute', async () => {
  const { rows } = await rowsOf({ a: { b: 1, c: 2 }, list: [{ x: 1, y: 2 }, 5, { x: 3 }], n: 4 });
  const project = (projection: Document) => rows.findOne({}, { projection });
  expect(await project({ 'a.b': 1 })).toEqual({ _id: 1, a: { b: 1 } });
  expect(await project({ 'list.x': 1, _id: 0 })).toEqual({ list: [{ x: 1 }, { x: 3 }] });
  expect(await project({ 'list.x': 0, a: 0 })).toEqual({ _id: 1, list: [{ y: 2 }, 5, {}], n: 4 });
  expect(await project({ _id: 1 })).toEqual({ _id: 1 });
  expect(await project({ list: { $slice: 1 }, n: 1 })).toMatchObject({ n: 4, list: [{ x: 1, y: 2 }] });
  await expect(project({ a: 1, n: 0 })).rejects.toMatchObject({ code: 31254 });
});

test('count, estimated count and distinct', async () => {
  const { rows } = await rowsOf({ t: ['b', 'a'], n: 1 }, { t: ['b'], n: 2 }, { n: 1.0 });
  expect(await rows.countDocuments({ n: 1 })).toBe(2);
  expect(await rows.estimatedDocumentCount()).toBe(3);
  expect(await rows.countDocuments({ n: { $gte: 1 } }, { skip: 1, limit: 1 })).toBe(1);
  expect(await rows.distinct('t')).toEqual(['a', 'b']);
  expect(await rows.distinct('n', { t: 'b' })).toEqual([1, 2]);
});
test('$mod matches only numbers, also as elements of arrays', async () => {
  const rows = database().collection<Document>('rows');
  const values = [4, 3, [1, 2], null, new Date(4), '4', Long.fromString('9007199254740993'), Long.fromNumber(6)];
  await rows.insertMany(values.map((value, _id) => ({ _id, value })) as never[]);
  const found = await rows.find({ value: { $mod: [2, 0] } }, { sort: { _id: 1 } }).toArray();
  expect(found.map(({ _id }) => _id as unknown)).toEqual([0, 2, 7]);
});

test('distinct keeps numeric types, and returns the first of equal values', async () => {
  const rows = database().collection<Document>('rows', { promoteValues: false });
  await rows.insertMany([{ value: Long.fromNumber(2) }, { value: 2 }, { value: [1, Long.fromNumber(3)] }]);
  expect(await rows.distinct('value')).toEqual([new Int32(1), Long.fromNumber(2), Long.fromNumber(3)]);
});

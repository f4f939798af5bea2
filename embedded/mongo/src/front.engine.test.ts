import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import type { Collection, Document } from 'mongodb';

const { FERRETDB_PORT: port, MONGODB_URL: url = '' } = process.env;

interface Row extends Document {
  readonly _id: number;
}
type Question = (rows: Collection<Row>) => Promise<unknown>;

async function listAfter(rows: Collection<Row>, update: Document): Promise<unknown> {
  await rows.updateOne({ _id: 1, 'list.id': 'b' }, update);
  return (await rows.findOne({ _id: 1 }))?.['list'];
}

/** What the services use and FerretDB alone does not do: a question about a document, and MongoDB's answer. */
const questions: readonly (readonly [string, Question, unknown])[] = [
  ['expireAfterSeconds', (rows) => rows.createIndex({ at: 1 }, { expireAfterSeconds: 9, name: 'at' }), 'at'],
  [
    'partialFilterExpression',
    (rows) => rows.createIndex({ a: 1 }, { partialFilterExpression: { a: 1 }, name: 'a' }),
    'a',
  ],
  [
    'one change of a document at a time',
    async (rows) => {
      await Promise.all(Array.from({ length: 1_000 }, () => rows.updateOne({ _id: 1 }, { $inc: { count: 1 } })));
      return (await rows.findOne({ _id: 1 }))?.['count'] as unknown;
    },
    1_000,
  ],
  ['$elemMatch on fields', (rows) => rows.countDocuments({ list: { $elemMatch: { id: 'b' } } }), 1],
  ['$elemMatch within $or', (rows) => rows.countDocuments({ $or: [{ list: { $elemMatch: { id: 'b' } } }] }), 1],
  ['$pull by a condition', (rows) => listAfter(rows, { $pull: { list: { id: { $in: ['a'] } } } }), [{ id: 'b' }]],
  [
    '$push with $slice',
    (rows) => listAfter(rows, { $push: { list: { $each: [{ id: 'c' }], $slice: -2 } } }),
    [{ id: 'b' }, { id: 'c' }],
  ],
  [
    'the positional operator for a whole element',
    async (rows) => {
      await rows.updateOne({ list: { $elemMatch: { id: 'b' } } }, { $set: { 'list.$': { id: 'c' } } });
      return (await rows.findOne({ _id: 1 }))?.['list'] as unknown;
    },
    [{ id: 'a' }, { id: 'c' }],
  ],
  ['the positional operator', (rows) => listAfter(rows, { $set: { 'list.$.x': 1 } }), [{ id: 'a' }, { id: 'b', x: 1 }]],
  [
    'a projection in findAndModify',
    (rows) => rows.findOneAndUpdate({ _id: 1 }, { $set: { a: 1 } }, { projection: { key: 1 } }),
    { _id: 1, key: 1 },
  ],
  [
    '$lookup',
    async (rows) => {
      const $lookup = { from: rows.collectionName, localField: '_id', foreignField: '_id', as: 'same' };
      const [row] = await rows.aggregate([{ $lookup }]).toArray();
      return (row?.['same'] as unknown[]).length;
    },
    1,
  ],
  [
    'the code of a change that repeats a unique value',
    async (rows) => {
      await rows.createIndex({ key: 1 }, { unique: true });
      await rows.insertOne({ _id: 2, key: 2 });
      return rows.updateOne({ _id: 1 }, { $set: { key: 2 } }).catch(({ code }: { code: unknown }) => code);
    },
    11_000,
  ],
  // The last one: FerretDB alone ends the connection.
  [
    'indexes that exist already',
    async (rows) => {
      const wanted = ['a', 'b', 'c', 'd'].map((name) => ({ key: { [name]: 1 }, name }));
      await rows.createIndexes(wanted.slice(1));
      await rows.createIndexes(wanted);
      return (await rows.indexes()).map(({ name }) => name).sort();
    },
    ['_id_', 'a', 'b', 'c', 'd'],
  ],
];

const database = `differential_${randomBytes(4).toString('hex')}`;
let behindFront: MongoClient;
let alone: MongoClient | undefined;
beforeAll(async () => {
  behindFront = await MongoClient.connect(url);
  if (port !== undefined) alone = await MongoClient.connect(`mongodb://127.0.0.1:${port}`);
});
afterAll(async () => {
  await behindFront.db(database).dropDatabase();
  await behindFront.close();
  await alone?.close();
});

async function ask(client: MongoClient, name: string, question: Question): Promise<unknown> {
  const rows = client.db(database).collection<Row>(name.replace(/\W/g, '_'));
  await rows.insertOne({ _id: 1, key: 1, list: [{ id: 'a' }, { id: 'b' }] });
  return question(rows);
}

test.each(questions)('the server that the services talk to knows %s', async (name, question, answer) => {
  expect(await ask(behindFront, `front ${name}`, question)).toEqual(answer);
});

test('FerretDB needs all that the front adds', async () => {
  const client = alone;
  if (!client) return;
  for (const [name, question, answer] of questions) {
    const given = await ask(client, `alone ${name}`, question).catch((error: unknown) => error);
    expect({ name, given }).not.toEqual({ name, given: answer });
  }
});

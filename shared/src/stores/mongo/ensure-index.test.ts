import { randomBytes } from 'node:crypto';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import type { Collection, Connection } from 'mongoose';
import { connectPatiently } from '../../testing/connect-patiently';
import { ensureIndex } from './ensure-index';

let mongo: EmbeddedMongo;
let connection: Connection;
beforeAll(async () => {
  mongo = await startEmbeddedMongo();
  connection = await connectPatiently(mongo.urlOf('indexes'));
});
afterAll(async () => {
  await connection.close();
  await mongo.close();
});

const texts = { n: { $type: 'string' } };
const fresh = (): Collection => connection.collection(`c${randomBytes(4).toString('hex')}`);
const indexesOf = async (collection: Collection) =>
  (await collection.indexes())
    .filter(({ name }) => name !== '_id_')
    .map((index) => ({ ...index, name: undefined, v: undefined }));

describe.each([
  [
    'a longer life',
    { at: 1 },
    { name: 'kept', expireAfterSeconds: 60 },
    { at: 1 },
    { name: 'kept', expireAfterSeconds: 90 },
  ],
  ['another key', { a: 1 }, { name: 'log' }, { a: 1, b: -1 }, { name: 'log' }],
  ['another name', { a: 1 }, { name: 'old' }, { a: 1 }, { name: 'new' }],
  ['a part', { n: 1 }, { unique: true }, { n: 1 }, { unique: true, partialFilterExpression: texts }],
  ['uniqueness', { n: 1 }, {}, { n: 1 }, { unique: true }],
] as const)('an index that gets %s', (_what, oldKey, old, key, wanted) => {
  const options = { ...wanted, name: undefined };

  test('replaces the old one, and is stable from then on', async () => {
    const collection = fresh();
    await ensureIndex(collection, oldKey, old);
    for (let start = 0; start < 3; start += 1) {
      await ensureIndex(collection, key, wanted);
      expect(await indexesOf(collection)).toEqual([{ key, ...options }]);
    }
  });

  test('can be created by four processes at once', async () => {
    const collection = fresh();
    await collection.insertMany(Array.from({ length: 1_000 }, (_, n) => ({ n: `${n}`, a: n, b: n, at: new Date() })));
    await ensureIndex(collection, oldKey, old);
    await Promise.all([0, 1, 2, 3].map(() => ensureIndex(collection, key, wanted)));
    expect(await indexesOf(collection)).toEqual([{ key, ...options }]);
  });
});

test('documents that violate the new index stop the change', async () => {
  const collection = fresh();
  await ensureIndex(collection, { n: 1 });
  await collection.insertMany([{ n: 'twice' }, { n: 'twice' }]);
  await expect(ensureIndex(collection, { n: 1 }, { unique: true, name: 'n_1' })).rejects.toMatchObject({
    code: 11_000,
  });
});

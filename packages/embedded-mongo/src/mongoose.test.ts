import mongoose from 'mongoose';
import type { Connection } from 'mongoose';
import { useServer } from './test-server';

const { database, url } = useServer();

let connection: Connection;
beforeEach(async () => {
  connection = await mongoose.createConnection(`${url()}/${database().databaseName}`).asPromise();
});
afterEach(() => connection.close());

function peopleModel() {
  const schema = new mongoose.Schema(
    {
      accountId: { type: String, required: true },
      email: { type: String, required: true },
      age: Number,
      secret: Buffer,
      key: mongoose.Schema.Types.UUID,
      tags: [String],
      addresses: [{ city: String, main: Boolean }],
      extra: { type: Map, of: String },
    },
    { timestamps: true, optimisticConcurrency: true },
  );
  schema.index({ accountId: 1, email: 1 }, { unique: true });
  return connection.model('Person', schema);
}

test('models save, load, change and remove documents', async () => {
  const Person = peopleModel();
  await Person.init();
  const person = await Person.create({
    accountId: 'wdc',
    email: 'a@b.c',
    age: 3,
    secret: Buffer.from([1, 255]),
    key: '6f9619ff-8b86-4011-b42d-00c04fc964ff',
    addresses: [{ city: 'Rome', main: true }],
    extra: { colour: 'red' },
  });
  const loaded = await Person.findOne({ accountId: 'wdc', email: 'a@b.c' }).orFail();
  expect(loaded.toObject()).toMatchObject({ age: 3, addresses: [{ city: 'Rome', main: true }], tags: [] });
  expect(Buffer.from(loaded.secret as Buffer)).toEqual(Buffer.from([1, 255]));
  expect(loaded.key?.toString()).toBe('6f9619ff-8b86-4011-b42d-00c04fc964ff');
  expect(loaded.extra?.get('colour')).toBe('red');
  loaded.tags.push('x');
  loaded.addresses[0]?.set('city', 'Oslo');
  await loaded.save();
  expect(await Person.findById(person._id).lean()).toMatchObject({
    tags: ['x'],
    addresses: [{ city: 'Oslo' }],
    __v: 1,
  });
  await loaded.deleteOne();
  expect(await Person.countDocuments()).toBe(0);
});

test('unique indexes of a schema are created and refuse duplicates', async () => {
  const Person = peopleModel();
  await Person.init();
  await Person.create({ accountId: 'wdc', email: 'a@b.c' });
  await expect(Person.create({ accountId: 'wdc', email: 'a@b.c' })).rejects.toMatchObject({
    code: 11000,
    keyValue: { accountId: 'wdc', email: 'a@b.c' },
  });
  await Person.syncIndexes();
  await Person.ensureIndexes();
  expect((await Person.listIndexes()).map(({ name }) => name as string)).toEqual(['_id_', 'accountId_1_email_1']);
});

test('optimistic concurrency refuses the second of two changes of a loaded document', async () => {
  const Person = peopleModel();
  await Person.create({ accountId: 'wdc', email: 'a@b.c', age: 1 });
  const [first, second] = await Promise.all([Person.findOne().orFail(), Person.findOne().orFail()]);
  first.age = 2;
  second.age = 3;
  await first.save();
  await expect(second.save()).rejects.toMatchObject({ name: 'VersionError' });
});

test('queries, upserts, bulk writes, cursors and aggregation', async () => {
  const Person = peopleModel();
  await Person.insertMany(Array.from({ length: 30 }, (_, age) => ({ accountId: 'wdc', email: `p${age}@b.c`, age })));
  expect(
    await Person.find({ age: { $gte: 10 } })
      .sort({ age: -1 })
      .skip(1)
      .limit(2)
      .select('age -_id')
      .lean(),
  ).toEqual([{ age: 28 }, { age: 27 }]);
  const upserted = await Person.findOneAndUpdate(
    { accountId: 'acme', email: 'n@b.c' },
    { $set: { age: 9 } },
    { upsert: true, returnDocument: 'after', setDefaultsOnInsert: true },
  );
  expect(upserted).toMatchObject({ accountId: 'acme', age: 9 });
  await Person.bulkWrite([
    { updateMany: { filter: { age: { $lt: 5 } }, update: { $inc: { age: 100 } } } },
    { deleteOne: { filter: { age: 29 } } },
  ]);
  const ages: unknown[] = [];
  for await (const { age } of Person.find({ age: { $gt: 99 } }).cursor({ batchSize: 2 })) ages.push(age);
  expect(ages).toEqual([100, 101, 102, 103, 104]);
  expect(await Person.aggregate([{ $group: { _id: '$accountId', n: { $sum: 1 } } }, { $sort: { _id: 1 } }])).toEqual([
    { _id: 'acme', n: 1 },
    { _id: 'wdc', n: 29 },
  ]);
  expect(await Person.exists({ age: 9, accountId: 'acme' })).not.toBeNull();
  expect(await Person.distinct('accountId')).toEqual(['acme', 'wdc']);
});

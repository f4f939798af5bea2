import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { BSON, MongoClient } from 'mongodb';
import type { Collection, Document } from 'mongodb';
import { startEmbeddedMongo } from './server';
import type { EmbeddedMongo } from './server';

const { MONGODB_URL: url = '', SEED: seed = String(Date.now()) } = process.env;
const database = `plans_${randomBytes(4).toString('hex')}`;

let embedded: EmbeddedMongo;
let clients: { ours: MongoClient; real: MongoClient };
beforeAll(async () => {
  embedded = await startEmbeddedMongo();
  clients = { ours: await MongoClient.connect(embedded.url), real: await MongoClient.connect(url) };
});
afterAll(async () => {
  await clients.real.db(database).dropDatabase();
  await Promise.all(Object.values(clients).map((client) => client.close()));
  await embedded.close();
});

/** Partial filter expressions. Those of the services are among them. */
const partialFilters: readonly Document[] = [
  { a: { $type: 'string' } },
  { b: { $type: 'string' } },
  { a: { $exists: true } },
  { b: { $exists: true } },
  { b: 'x' },
  { a: { $gt: 3 } },
  { a: { $gte: 'm' } },
  { b: { $lte: 5 } },
  { a: { $gte: 1, $lt: 5 } },
  { a: { $exists: true }, b: { $type: 'number' } },
  { $and: [{ a: { $gt: 1 } }, { b: 'x' }] },
  { $or: [{ b: 'x' }, { b: 'y' }] },
  { b: { $in: ['x', 'y'] } },
  { b: true, a: { $gt: new Date(0) } },
  { b: null },
];

const scalar = fc.constantFrom<unknown>(0, 1, 3, 4, 5, 'm', 'x', 'y', true, null, new Date(5));
const usable: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: scalar },
  scalar.map(($eq) => ({ $eq })),
  fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }).map(($in) => ({ $in })),
  fc
    .tuple(
      fc.constantFrom('$gt', '$gte', '$lt', '$lte'),
      scalar.filter((one) => one !== null && one !== true),
    )
    .map(([name, one]) => ({ [name]: one })),
  fc.tuple(fc.constantFrom(1, 2, 4), fc.constantFrom(3, 5)).map(([$gte, $lt]) => ({ $gte, $lt })),
);
const beside: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 2, arbitrary: usable },
  scalar.map(($ne) => ({ $ne })),
  fc.constantFrom<Document>(
    { $exists: true },
    { $exists: false },
    { $type: 'string' },
    { $type: 'number' },
    { $regex: '^x' },
    { $nin: [null, 1] },
    { $not: { $gt: 3 } },
  ),
  fc.constantFrom<Document>(
    { $eq: 'x', $type: 'string' },
    { $in: ['x', 'y'], $type: 'string' },
    { $gt: 4, $type: 'number' },
    { $eq: 4, $exists: true },
  ),
);
const filter: fc.Arbitrary<Document> = fc.oneof(
  usable.map((a) => ({ a })),
  { weight: 2, arbitrary: fc.tuple(usable, beside).map(([a, b]) => ({ a, b })) },
  fc.tuple(beside, beside).map(([a, b]) => ({ a, b })),
  fc.tuple(usable, beside).map(([a, b]) => ({ $and: [{ a }, { b }] })),
  fc.tuple(usable, beside, beside).map(([a, b, other]) => ({ a, $or: [{ b }, { b: other }] })),
  fc.tuple(usable, beside).map(([a, type]) => ({ $and: [{ a }, { a: type }] })),
);

/** True if the plan uses the index, alone or as a branch of an `$or`. */
async function readsIndex(rows: Collection, where: Document): Promise<boolean> {
  const { queryPlanner } = await rows.find(where).explain('queryPlanner');
  return BSON.EJSON.stringify((queryPlanner as Document)['winningPlan']).includes('"IXSCAN"');
}

test('a partial index is used exactly where MongoDB uses it', async () => {
  let read = 0;
  for (const [position, partialFilterExpression] of partialFilters.entries()) {
    const [ours, real] = [clients.ours, clients.real].map((client) =>
      client.db(database).collection(`rows_${position}`),
    ) as [Collection, Collection];
    for (const rows of [ours, real]) {
      await rows.createIndex({ a: 1, c: 1 }, { partialFilterExpression });
      await rows.insertMany([{ a: 4, b: 'x' }, { a: 'x', b: 1 }, { a: 1 }]);
    }
    for (const where of fc.sample(filter, { numRuns: 120, seed: Number(seed) + position })) {
      const [mine, theirs] = await Promise.all([readsIndex(ours, where), readsIndex(real, where)]);
      if (theirs) read += 1;
      const call = BSON.EJSON.stringify({ partialFilterExpression, where });
      // This planner uses only conditions on the index's first field.
      if (mine || isUsable(where)) expect({ call, readsIndex: mine }).toEqual({ call, readsIndex: theirs });
    }
  }
  expect(read).toBeGreaterThan(100);
});

/** True if the filter limits the first field of the index to values or a range. */
function isUsable(where: Document): boolean {
  const conditions = [where, ...((where['$and'] as Document[] | undefined) ?? [])].flatMap((one) =>
    'a' in one ? [one['a'] as unknown] : [],
  );
  return conditions.some(
    (one) =>
      typeof one !== 'object' ||
      one instanceof Date ||
      (one !== null && ['$eq', '$in', '$gt', '$gte', '$lt', '$lte'].some((name) => name in one)),
  );
}

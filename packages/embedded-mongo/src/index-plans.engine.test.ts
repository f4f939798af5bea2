import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { BSON, MongoClient } from 'mongodb';
import type { Collection, CreateIndexesOptions, Document } from 'mongodb';
import { startEmbeddedMongo } from './server';
import type { EmbeddedMongo } from './server';

const { MONGODB_URL: url = '', SEED: seed = String(Date.now()), RUNS: runs = '80' } = process.env;
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

type Layout = readonly [key: Readonly<Record<string, 1 | -1>>, options?: CreateIndexesOptions];

/** One index per collection, so that a plan shows whether the index is usable, not which of several is better. */
const layouts: readonly Layout[] = [
  [{ a: 1 }, { sparse: true }],
  [{ a: 1, b: 1 }, { sparse: true }],
  [{ b: -1, a: 1 }, { sparse: true }],
  [{ l: 1, a: 1 }, { sparse: true }],
  [{ a: 1, b: 1 }],
  [{ a: 1, b: -1 }],
  [{ b: 1, a: 1, c: -1 }],
  [{ c: 1, _id: -1 }, { unique: true }],
  [{ l: 1 }],
  [{ a: 1, l: 1 }],
  [{ l: 1, b: 1 }],
  [{ 'l.id': 1, a: -1 }],
  [{ 'l.id': 1, 'l.v': 1 }],
  [{ a: 1, 'l.id': -1, b: 1 }],
];

/** Some have arrays in indexed fields, so that indexes on `l` are multikey. */
const documents: readonly Document[] = [
  { a: 4, b: 'x', c: 1, l: [1, 3] },
  { a: 'x', b: 1, l: 'm' },
  { a: 1, c: 4, l: [{ id: 1, v: [1, 4] }, { id: 3 }] },
  { b: 5, l: { id: 4, v: 'x' } },
  { a: null, b: 3 },
  { c: 5, l: [] },
];

const scalar = fc.constantFrom<unknown>(1, 3, 4, 5, 'm', 'x', null, true);
const condition: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 2, arbitrary: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }).map(($in) => ({ $in })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte'), scalar)
      .map(([name, one]): Document => ({ [name]: one })),
  },
  fc.tuple(fc.constantFrom(1, 2), fc.constantFrom(4, 5)).map(([$gte, $lt]) => ({ $gte, $lt })),
  scalar.map(($ne) => ({ $ne })),
  fc.constantFrom<Document>(
    { $exists: true },
    { $exists: false },
    { $type: 'string' },
    { $in: [] },
    { $nin: [null, 1] },
    { $not: { $gt: 3 } },
    { $regex: '^x' },
    { $elemMatch: { id: 1 } },
    { $elemMatch: { $gt: 1, $lt: 5 } },
    { $all: [1, 3] },
    { $size: 1 },
  ),
);
const path = fc.constantFrom('a', 'b', 'c', 'l', 'l.id', 'l.v');
const simple: fc.Arbitrary<Document> = fc
  .uniqueArray(fc.tuple(path, condition), { minLength: 1, maxLength: 3, selector: ([name]) => name })
  .map((entries): Document => Object.fromEntries<unknown>(entries));
const filter: fc.Arbitrary<Document> = fc.oneof(
  { weight: 5, arbitrary: simple },
  fc.constant({}),
  fc.tuple(simple, simple).map((all) => ({ $and: all })),
  { weight: 2, arbitrary: fc.tuple(simple, simple).map((all) => ({ $or: all })) },
  { weight: 2, arbitrary: fc.tuple(simple, simple, simple).map(([one, ...all]) => ({ ...one, $or: all })) },
  fc.tuple(simple, simple, simple).map(([one, ...all]) => ({ $and: [one, { $or: all }] })),
);
const sort: fc.Arbitrary<[string, 1 | -1][]> = fc.oneof(fc.constant<[string, 1 | -1][]>([]), {
  weight: 2,
  arbitrary: fc.uniqueArray(fc.tuple(fc.oneof(path, fc.constant('_id')), fc.constantFrom<1 | -1>(1, -1)), {
    minLength: 1,
    maxLength: 3,
    selector: ([name]) => name,
  }),
});

/** The indexes that a plan uses, and whether it sorts in memory. */
interface Access {
  readonly indexes: ReadonlySet<string>;
  readonly sorts: boolean;
  /** True if the index bounds are empty. No documents are in every order. */
  readonly findsNothing: boolean;
}

function accessOf(plan: Document): Access {
  const text = BSON.EJSON.stringify(plan);
  const indexes = new Set([...text.matchAll(/"indexName":"([^"]+)"/g)].map(([, name = '']) => name));
  return { indexes, sorts: text.includes('"stage":"SORT"'), findsNothing: /"indexBounds":\{[^}]*:\[\]/.test(text) };
}

/** The server's plans for a query: the winning one, then the rejected ones. */
async function plansOf(
  rows: Collection,
  where: Document,
  order: [string, 1 | -1][],
  hint: { readonly hint?: string } = {},
): Promise<Access[]> {
  const { queryPlanner } = await rows.find(where, { sort: order, ...hint }).explain('queryPlanner');
  const { winningPlan, rejectedPlans = [] } = queryPlanner as { winningPlan: Document; rejectedPlans?: Document[] };
  return [winningPlan, ...rejectedPlans].map(accessOf);
}

/** True for a scan of the `_id` index. MongoDB does not list that plan when another index narrows the query. */
const walksById = ({ indexes }: Access): boolean => indexes.size === 1 && indexes.has('_id_');

test('an index is used for a filter or a sort only where MongoDB could use it', async () => {
  const seen = { read: 0, ordered: 0, unions: 0 };
  const wrong: string[] = [];
  for (const [position, [key, options = {}]] of layouts.entries()) {
    const [ours, real] = [clients.ours, clients.real].map((client) =>
      client.db(database).collection(`indexed_${position}`),
    ) as [Collection, Collection];
    for (const rows of [ours, real]) {
      await rows.createIndex(key, options);
      await rows.insertMany(documents.map((one, _id) => ({ _id: _id as never, ...one })));
    }
    for (const [where, order] of fc.sample(fc.tuple(filter, sort), {
      numRuns: Number(runs),
      seed: Number(seed) + position,
    })) {
      const [mine] = await plansOf(ours, where, order);
      if (!mine || mine.indexes.size === 0) continue;
      const theirs = await plansOf(real, where, order, walksById(mine) ? { hint: '_id_' } : {});
      const isOrdered = order.length > 0 && !mine.sorts;
      const alike = theirs.some(
        ({ indexes, sorts, findsNothing }) =>
          [...mine.indexes].every((name) => indexes.has(name)) && !(isOrdered && sorts && !findsNothing),
      );
      seen.read += 1;
      if (isOrdered) seen.ordered += 1;
      if ('$or' in where) seen.unions += 1;
      if (!alike)
        wrong.push(BSON.EJSON.stringify({ key, ...options, where, order, isOrdered, mine: [...mine.indexes] }));
    }
  }
  expect(wrong).toEqual([]);
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
});

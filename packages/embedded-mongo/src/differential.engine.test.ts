import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { BSON, MongoClient, MongoServerError } from 'mongodb';
import type { Collection } from 'mongodb';
import { anyOperation } from './testing/operations';
import type { Operation } from './testing/operations';
import { startEmbeddedMongo } from './server';
import type { EmbeddedMongo } from './server';

const { MONGODB_URL: url = '', SEED: seed = String(Date.now()), RUNS: runs = '250' } = process.env;
const database = `differential_${randomBytes(4).toString('hex')}`;

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

interface Answer {
  readonly text: string;
  /** The error message, shown when the answers differ. */
  readonly reason?: string;
}

/** A server's answer in a form that shows BSON types. An error is given as its code. */
async function answerOf(
  { run, relaxed = false, anyRefusal = false }: Operation,
  collection: Collection,
): Promise<Answer> {
  try {
    return { text: textOf(await run(collection), relaxed) };
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error;
    const refusal = anyRefusal && Number(error.code) !== 11_000 ? 'refused' : `refused with ${Number(error.code)}`;
    return { text: refusal, reason: error.message };
  }
}

/** Shows the BSON types unless relaxed. Negative zero becomes zero. */
const textOf = (value: unknown, relaxed = false) =>
  (BSON.EJSON.stringify(value, { relaxed }) ?? 'undefined')
    .replaceAll('"-0.0"', '"0.0"')
    .replaceAll(/-0(?=[,}\]])/g, '0');

const contentOf = async (collection: Collection) =>
  textOf(await collection.find({}, { sort: { _id: 1 }, promoteValues: false }).toArray());

let collections = 0;
let compared = 0;
async function compare(operations: readonly Operation[]): Promise<void> {
  collections += 1;
  const [ours, real] = [clients.ours, clients.real].map((client) =>
    client.db(database).collection(`rows_${collections}`),
  ) as [Collection, Collection];
  await Promise.all([ours, real].map((collection) => collection.createIndex({ u: 1 }, { unique: true })));
  for (const operation of operations) {
    const [answer, wanted] = await Promise.all([answerOf(operation, ours), answerOf(operation, real)]);
    compared += 1;
    // A bug in MongoDB's optimizer (6.0.5, $all within a nested $elemMatch), so there is no answer to compare.
    if (wanted.reason?.startsWith('Failed to optimize pipeline')) continue;
    const call = `${operation.name}(${operation.args.map((one) => textOf(one, true)).join(', ')})`;
    const reasons = [answer.reason, wanted.reason];
    if (operation.leavesOpen === true && answer.reason !== undefined && wanted.reason !== undefined) {
      await Promise.all([ours, real].map((collection) => collection.deleteMany({})));
      continue;
    }
    const [content, wantedContent] =
      operation.reads === true ? [] : await Promise.all([contentOf(ours), contentOf(real)]);
    expect({ call, reasons, answer: answer.text, content }).toEqual({
      call,
      reasons,
      answer: wanted.text,
      content: wantedContent,
    });
  }
  await Promise.all([ours, real].map((collection) => collection.drop()));
}

test('this server and MongoDB answer thousands of generated operations alike', async () => {
  const operations = fc.array(anyOperation, { minLength: 1, maxLength: 40, size: 'max' });
  await fc.assert(fc.asyncProperty(operations, compare), { numRuns: Number(runs), seed: Number(seed) });
  expect(compared).toBeGreaterThanOrEqual(12 * Number(runs));
});

import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { BSON, MongoClient, MongoServerError } from 'mongodb';
import type { Collection } from 'mongodb';
import { anyOperation } from './testing/operations';
import type { Operation } from './testing/operations';
import { startEmbeddedMongo } from './server';
import type { EmbeddedMongo } from './server';

const { MONGODB_URL: url = '', FERRETDB_PORT: ferretPort } = process.env;
// The front of FerretDB has no say here: what is compared is the engine itself.
const realUrl = ferretPort === undefined ? url : `mongodb://127.0.0.1:${ferretPort}`;
const database = `differential_${randomBytes(4).toString('hex')}`;

let embedded: EmbeddedMongo;
let clients: { ours: MongoClient; real: MongoClient };
beforeAll(async () => {
  embedded = await startEmbeddedMongo();
  clients = { ours: await MongoClient.connect(embedded.url), real: await MongoClient.connect(realUrl) };
});
afterAll(async () => {
  await clients.real.db(database).dropDatabase();
  await Promise.all(Object.values(clients).map((client) => client.close()));
  await embedded.close();
});

/** What a server answers, in a form that shows BSON types; of an error whether it is the duplicate key. */
const reasons: string[] = [];
async function answerOf(operation: Operation, collection: Collection): Promise<string> {
  try {
    return textOf(await operation.run(collection));
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error;
    reasons.push(`${Number(error.code)} ${error.message}`);
    // A number of BSON's where values are not promoted.
    return Number(error.code) === 11_000 || error.message.includes('UNIQUE constraint failed')
      ? 'duplicate key'
      : 'refused';
  }
}

/** Shows the BSON types; zero has no sign here. */
const textOf = (value: unknown) => BSON.EJSON.stringify(value, { relaxed: false }).replaceAll('"-0.0"', '"0.0"');

const contentOf = async (collection: Collection) =>
  textOf(await collection.find({}, { sort: { _id: 1 }, promoteValues: false }).toArray());

let collections = 0;
let compared = 0;
async function compare(operations: readonly Operation[]): Promise<void> {
  collections += 1;
  const [ours, real] = [clients.ours, clients.real].map((client) =>
    client.db(database).collection(`rows_${collections}`),
  );
  if (!ours || !real) throw new Error('two servers are compared');
  await Promise.all([ours, real].map((collection) => collection.createIndex({ u: 1 }, { unique: true })));
  for (const { name, args, run } of operations) {
    const operation = { name, args, run };
    reasons.length = 0;
    const answers = [await answerOf(operation, ours), await answerOf(operation, real)];
    const contents = [await contentOf(ours), await contentOf(real)];
    compared += 1;
    const call = `${name}(${args.map((one) => textOf(one)).join(', ')}) ${reasons.join('; ')}`;
    expect({ call, answer: answers[0], content: contents[0] }).toEqual({
      call,
      answer: answers[1],
      content: contents[1],
    });
  }
  await real.drop();
}

test('the embedded store and a real server answer thousands of generated operations alike', async () => {
  const operations = fc.array(anyOperation, { minLength: 20, maxLength: 40, size: 'max' });
  const seed = Number(process.env['SEED'] ?? Date.now());
  await fc.assert(fc.asyncProperty(operations, compare), { numRuns: 200, seed });
  expect(compared).toBeGreaterThanOrEqual(5_000);
});

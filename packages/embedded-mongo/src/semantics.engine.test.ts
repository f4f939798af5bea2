import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { answerTo, cases } from './testing/semantics';

const { MONGODB_URL: url = '' } = process.env;
const database = `semantics_${randomBytes(4).toString('hex')}`;

let client: MongoClient;
beforeAll(async () => {
  client = await MongoClient.connect(url);
});
afterAll(async () => {
  await client.db(database).dropDatabase();
  await client.close();
});

test.each(Object.entries(cases).map(([name, one], i) => ({ name, one, i })))(
  'MongoDB gives the expected answer: $name',
  async ({ one, i }) => {
    expect(await answerTo(one, client.db(database).collection(`rows_${i}`))).toEqual(one.answer);
  },
);

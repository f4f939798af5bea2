// node mongodb-command.mjs URL DATABASE COMMAND: runs a command (extended JSON) and prints the answer as JSON.
import { createRequire } from 'node:module';

const { BSON, MongoClient } = createRequire(import.meta.url)('mongodb');

const [url, database, command] = process.argv.slice(2);
const client = new MongoClient(url, { serverSelectionTimeoutMS: 20_000 });
try {
  const answer = await client.db(database).command(BSON.EJSON.parse(command));
  process.stdout.write(BSON.EJSON.stringify(answer, { relaxed: true }));
} finally {
  await client.close();
}

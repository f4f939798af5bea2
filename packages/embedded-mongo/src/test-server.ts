import { MongoClient } from 'mongodb';
import type { Db } from 'mongodb';
import { startEmbeddedMongo } from './server';
import type { EmbeddedMongo, EmbeddedMongoOptions } from './server';

/** Starts an in-memory server for the tests of one file. Each call of `database` gives a new database. */
export function useServer(options: EmbeddedMongoOptions = {}): {
  database: () => Db;
  client: () => MongoClient;
  url: () => string;
} {
  let server: EmbeddedMongo;
  let client: MongoClient;
  let databases = 0;
  beforeAll(async () => {
    server = await startEmbeddedMongo(options);
    client = await MongoClient.connect(server.url);
  });
  afterAll(async () => {
    await client.close();
    await server.close();
  });
  return {
    database() {
      databases += 1;
      return client.db(`test_${databases}`);
    },
    client: () => client,
    url: () => server.url,
  };
}

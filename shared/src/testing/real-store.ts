import { randomBytes } from 'node:crypto';
import { ConnectionString } from 'mongodb-connection-string-url';
import { createConnection } from 'mongoose';

/**
 * Replaces `startEmbeddedMongo` when suites run on a real server: gives a test file its own databases at MONGODB_URL.
 */
export async function startEmbeddedMongo() {
  const server = process.env['MONGODB_URL'];
  if (!server) throw new Error('MONGODB_URL is missing: the address of a server that speaks the protocol of MongoDB');
  const connection = await createConnection(server).asPromise();
  const prefix = `t${randomBytes(4).toString('hex')}`;
  const databases = new Set<string>();
  return {
    url: server,
    urlOf(database: string) {
      // Idempotent: a test that opens a second connection passes the name that it was given.
      const name = databases.has(database) ? database : `${prefix}_${database}`.slice(0, 63);
      databases.add(name);
      return databaseAt(server, name);
    },
    /** All documents of these databases as BSON in latin1, to search for texts that must not be stored. */
    async text(): Promise<string> {
      const texts: string[] = [];
      for (const name of databases) {
        const { db } = connection.useDb(name);
        const collections = (await db?.listCollections({}, { nameOnly: true }).toArray()) ?? [];
        for (const { name: collection } of collections)
          for (const document of await db!.collection(collection).find({}, { raw: true }).toArray())
            texts.push((document as unknown as Buffer).toString('latin1'));
      }
      return texts.join('\n');
    },
    async close() {
      for (const name of databases) await connection.useDb(name).dropDatabase();
      await connection.close();
    },
  };
}

/** The URL with another database; the authentication database stays the same. */
export function databaseAt(server: string, database: string): string {
  const url = new ConnectionString(server);
  if (url.username !== '' && !url.searchParams.has('authSource'))
    url.searchParams.set('authSource', url.pathname.slice(1) || 'admin');
  url.pathname = `/${database}`;
  return url.href;
}

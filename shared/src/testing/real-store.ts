import { randomBytes } from 'node:crypto';
import { createConnection } from 'mongoose';

/** What `startEmbeddedMongo` is for the suites that run on a real server: databases of this file's own on the one at MONGODB_URL. */
export async function startEmbeddedMongo() {
  const server = process.env['MONGODB_URL'];
  if (!server) throw new Error('MONGODB_URL is missing: the address of a server that speaks the protocol of MongoDB');
  const connection = await createConnection(server).asPromise();
  const prefix = `t${randomBytes(4).toString('hex')}`;
  const databases = new Set<string>();
  return {
    url: server,
    urlOf(database: string) {
      // A test that opens a second connection names the database as the first one does.
      const name = databases.has(database) ? database : `${prefix}_${database}`.slice(0, 63);
      databases.add(name);
      return server.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${name}`);
    },
    async close() {
      for (const name of databases) await connection.useDb(name).dropDatabase();
      await connection.close();
    },
  };
}

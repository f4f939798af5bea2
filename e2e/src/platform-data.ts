import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prefixOf } from '@itsm/embedded/data/store';
import { connectMongo } from '@itsm/shared/stores/mongo/connect-mongo';
import { databaseAt } from '@itsm/shared/testing/real-store';

export type Store = 'embedded' | 'mongodb';

const server = process.env['MONGODB_URL'] || undefined;

/** The available stores: the embedded one, and a MongoDB if the environment has one. */
export const stores: readonly Store[] = server === undefined ? ['embedded'] : ['embedded', 'mongodb'];

/** The data of a journey's platform, through any number of starts. */
export interface PlatformData {
  readonly directory: string;
  /** Undefined for the embedded store, which is in the directory. */
  readonly mongodbUrl: string | undefined;
  /** A separate connection to the database of `service`, beside the running platform's. */
  connect(service: string): ReturnType<typeof connectMongo>;
  remove(): Promise<void>;
}

/**
 * A new directory, and new databases if the environment has a MongoDB, which is what the platform is deployed with. A
 * journey about the embedded store passes it.
 */
export function makePlatformData(name: string, store = stores.at(-1)): PlatformData {
  const directory = mkdtempSync(join(tmpdir(), `itsm-${name}-`));
  const mongodbUrl =
    server === undefined || store === 'embedded' ? undefined : databaseAt(server, `t${randomBytes(4).toString('hex')}`);
  const connect = (service: string) =>
    mongodbUrl === undefined
      ? connectMongo(`mongodb://${encodeURIComponent(join(directory, 'mongo', 'store.sock'))}/${service}`)
      : connectMongo(mongodbUrl, { database: `${prefixOf(mongodbUrl)}-${service}` });
  return {
    directory,
    mongodbUrl,
    connect,
    async remove() {
      rmSync(directory, { recursive: true, force: true });
      if (mongodbUrl !== undefined) await dropDatabases(mongodbUrl);
    },
  };
}

async function dropDatabases(mongodbUrl: string): Promise<void> {
  const connection = await connectMongo(mongodbUrl);
  const { databases } = await connection.listDatabases();
  for (const { name } of databases)
    if (name.startsWith(`${prefixOf(mongodbUrl)}-`)) await connection.useDb(name).dropDatabase();
  await connection.close();
}

import { ConnectionString } from 'mongodb-connection-string-url';
import type { Connection } from 'mongoose';
import { StartFailure } from '../start-failure';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { connectMongo, replicaSetAdvice } from '@itsm/shared/stores/mongo/connect-mongo';
import { warnOfSlowFailovers } from '@itsm/shared/stores/mongo/slow-failovers';

/** The store of the services; each has a separate database. */
export interface Store {
  /** The caller closes the connection, before the store. */
  connect(service: string): Promise<Connection>;
  close(): Promise<void>;
}

interface StoreOptions {
  /** Folder with the files of the embedded store. */
  readonly directory: string;
  /** The MongoDB that is used instead of the embedded store. */
  readonly mongodbUrl: string | undefined;
  readonly logger: Logger;
}

const usualPrefix = 'itsm';
const allowedPrefix = /^[\w-]{1,46}$/;

export const prefixRule =
  'must name a database of at most 46 letters, digits, _ and -, which is the prefix of all database names, or none';

/** The prefix of all database names: the database in the address, otherwise `itsm`. */
export const prefixOf = (mongodbUrl: string): string =>
  decodeURIComponent(new ConnectionString(mongodbUrl).pathname.slice(1)) || usualPrefix;

/** Whether the prefix has only allowed characters, and all database names fit into MongoDB's limit of 63 bytes. */
export function hasAllowedPrefix(mongodbUrl: string): boolean {
  try {
    return allowedPrefix.test(prefixOf(mongodbUrl));
  } catch {
    return false;
  }
}

/** Opens the embedded store, or uses the MongoDB if one is set. `connect` fails with a plain sentence if it cannot. */
export async function openStore({ directory, mongodbUrl, logger }: StoreOptions): Promise<Store> {
  if (mongodbUrl === undefined) {
    const mongo = await startEmbeddedMongo({ directory, logger }).catch((error: Error) => {
      const whatToDo = 'Stop the platform that uses it, or choose another folder with DATA_DIR.';
      throw new StartFailure(`the store cannot be opened: ${error.message}`, whatToDo, error);
    });
    return { connect: (service) => connectMongo(mongo.urlOf(service)), close: () => mongo.close() };
  }
  const prefix = prefixOf(mongodbUrl);
  let isFirst = true;
  return {
    async connect(service) {
      const connection = await connectMongo(mongodbUrl, { database: `${prefix}-${service}` }).catch((error: Error) => {
        const [why, isAdvised] = [
          error.message.replace(` ${replicaSetAdvice}`, ''),
          error.message.includes(replicaSetAdvice),
        ];
        throw new StartFailure(
          `the MongoDB at MONGODB_URL cannot be used: ${why}`,
          isAdvised
            ? replicaSetAdvice
            : 'Start it, or correct MONGODB_URL; without it the platform has a store of its own.',
          error,
        );
      });
      // All services have the same server.
      if (isFirst) await warnOfSlowFailovers(connection, logger);
      isFirst = false;
      return connection;
    },
    close: () => Promise.resolve(),
  };
}

/** Where the data is, in words for people, without the credentials of the address. */
export function placeOfData({ directory, mongodbUrl }: Pick<StoreOptions, 'directory' | 'mongodbUrl'>): string {
  if (mongodbUrl === undefined) return directory;
  return `databases ${prefixOf(mongodbUrl)}-… of the MongoDB at ${new ConnectionString(mongodbUrl).hosts.join(',')}`;
}

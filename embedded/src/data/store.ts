import { ConnectionString } from 'mongodb-connection-string-url';
import type { Connection } from 'mongoose';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { connectMongo } from '@itsm/shared/stores/mongo/connect-mongo';

/** Where the services keep their data, each in a database of its own. */
export interface Store {
  /** The caller closes it, before the store. */
  connect(service: string): Promise<Connection>;
  close(): Promise<void>;
}

interface StoreOptions {
  /** Files of the embedded store. */
  readonly directory: string;
  /** The MongoDB that takes the place of the embedded store. */
  readonly mongodbUrl: string | undefined;
  readonly logger: Logger;
}

const usualPrefix = 'itsm';
const allowedPrefix = /^[\w-]{1,46}$/;

export const prefixRule =
  'must name a database of at most 46 letters, digits, _ and -, with which the names of all databases begin, or none';

/** What the names of the databases begin with: the database that the address names. */
export const prefixOf = (mongodbUrl: string): string =>
  decodeURIComponent(new ConnectionString(mongodbUrl).pathname.slice(1)) || usualPrefix;

/** Whether the names of all databases fit into the 63 bytes that MongoDB has for them. */
export function hasAllowedPrefix(mongodbUrl: string): boolean {
  try {
    return allowedPrefix.test(prefixOf(mongodbUrl));
  } catch {
    return false;
  }
}

/** Opens the embedded store, or tries the MongoDB where there is one; throws a sentence when it cannot be used. */
export async function openStore({ directory, mongodbUrl, logger }: StoreOptions): Promise<Store> {
  if (mongodbUrl === undefined) {
    const mongo = await startEmbeddedMongo({ directory, logger });
    return { connect: (service) => connectMongo(mongo.urlOf(service)), close: () => mongo.close() };
  }
  const prefix = prefixOf(mongodbUrl);
  return {
    connect: (service) =>
      connectMongo(mongodbUrl, { database: `${prefix}-${service}` }).catch((error: Error) => {
        throw new Error(`the MongoDB at MONGODB_URL cannot be used: ${error.message}`, { cause: error });
      }),
    close: () => Promise.resolve(),
  };
}

/** For people: where the data are. Without the credentials of the address. */
export function placeOfData({ directory, mongodbUrl }: Pick<StoreOptions, 'directory' | 'mongodbUrl'>): string {
  if (mongodbUrl === undefined) return directory;
  return `databases ${prefixOf(mongodbUrl)}-… of the MongoDB at ${new ConnectionString(mongodbUrl).hosts.join(',')}`;
}

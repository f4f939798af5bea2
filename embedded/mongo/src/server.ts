import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { runCommand } from './commands/run-command';
import { createCursors } from './commands/cursors';
import { removeExpired } from './storage/expiry';
import { createMemoryStore, openStore } from './storage/store';
import type { Store } from './storage/store';
import { serveConnection } from './wire/connection';

export interface EmbeddedMongo {
  /** `mongodb://127.0.0.1:PORT` */
  readonly url: string;
  urlOf(database: string): string;
  /** Ends all connections; everything acknowledged is in the files. */
  close(): Promise<void>;
}

export interface EmbeddedMongoOptions {
  /** Where the data is kept; absent: in memory only. */
  readonly directory?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly host?: string;
  readonly now?: () => Date;
  readonly logger?: { warn(message: string, facts?: object): void };
}

const sweepMilliseconds = 1000;

/** Starts a server that speaks MongoDB's wire protocol. Rejects when the port is taken or the directory cannot be used. */
export async function startEmbeddedMongo(options: EmbeddedMongoOptions = {}): Promise<EmbeddedMongo> {
  const { host = '127.0.0.1', port = 0, now = () => new Date() } = options;
  const store =
    options.directory === undefined ? createMemoryStore() : await openStore(options.directory, options.logger);
  const { catalog, journal } = store;
  const cursors = createCursors(now);
  const sockets = new Set<Socket>();
  let lastConnectionId = 0;

  const server = createServer((socket) => {
    lastConnectionId += 1;
    const context = { catalog, cursors, now, connectionId: lastConnectionId };
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serveConnection(socket, (request) => runCommand(context, journal, request));
  });
  await listenOrClose(server, port, host, store);

  const sweep = setInterval(() => {
    cursors.expire();
    if (removeExpired(catalog, now())) journal.flushed(false).catch(() => undefined);
  }, sweepMilliseconds);
  sweep.unref();

  const url = `mongodb://${host}:${(server.address() as AddressInfo).port}`;
  return {
    url,
    urlOf: (database) => `${url}/${database}`,
    async close() {
      clearInterval(sweep);
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
      await store.close();
    },
  };
}

async function listenOrClose(server: Server, port: number, host: string, store: Store): Promise<void> {
  try {
    await listen(server, port, host);
  } catch (error) {
    await store.close();
    throw error;
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve as resolvePath } from 'node:path';
import { runCommand } from './commands/run-command';
import { createCursors } from './commands/cursors';
import { removeExpired } from './storage/expiry';
import { createMemoryStore, openStore } from './storage/store';
import type { Store } from './storage/store';
import { serveConnection } from './wire/connection';

export interface EmbeddedMongo {
  /** `mongodb://127.0.0.1:PORT`, or `mongodb://` and the URL-encoded path of the socket. */
  readonly url: string;
  urlOf(database: string): string;
  /** Closes all connections. All acknowledged writes are in the files. */
  close(): Promise<void>;
}

export interface EmbeddedMongoOptions {
  /** The directory of the data and of the socket, which only this user can open. Without it, data is only in memory. */
  readonly directory?: string;
  /** Only for a server in memory. 0, the default, takes any free port. */
  readonly port?: number;
  readonly host?: string;
  readonly now?: () => Date;
  readonly logger?: { warn(message: string, facts?: object): void };
}

const sweepMilliseconds = 1000;

/** Starts a server that speaks MongoDB's wire protocol. Rejects when the port or the directory cannot be used. */
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
  const place = await listenOrClose(server, { port, host, directory: options.directory }, store);

  const sweep = setInterval(() => {
    cursors.expire();
    if (removeExpired(catalog, now())) journal.flushed(false).catch(() => undefined);
  }, sweepMilliseconds);
  sweep.unref();

  const { url } = place;
  return {
    url,
    urlOf: (database) => `${url}/${database}`,
    async close() {
      clearInterval(sweep);
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
      await place.leave();
      await store.close();
    },
  };
}

interface Wanted {
  readonly port: number;
  readonly host: string;
  readonly directory: string | undefined;
}

interface Place {
  readonly url: string;
  readonly leave: () => Promise<void>;
}

async function listenOrClose(server: Server, { port, host, directory }: Wanted, store: Store): Promise<Place> {
  try {
    // Every user of the machine can connect to a port. On Windows the driver does not support such sockets.
    if (directory !== undefined && process.platform !== 'win32') return await listenAtSocket(server, directory);
    await listen(server, () => server.listen(port, host));
    return { url: `mongodb://${host}:${(server.address() as AddressInfo).port}`, leave: () => Promise.resolve() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

const socketName = 'store.sock';

/** Bytes that fit into a socket address on every platform. */
const maxSocketPath = 100;

/** Listens on a socket in the data directory, or in a temporary one when that path is too long for a socket address. */
async function listenAtSocket(server: Server, directory: string): Promise<Place> {
  const near = resolvePath(directory, socketName);
  const isNear = Buffer.byteLength(near) <= maxSocketPath;
  const folder = isNear ? undefined : await mkdtemp(join(tmpdir(), 'store-'));
  const path = folder === undefined ? near : join(folder, socketName);
  // A killed process leaves its socket. Removing it is safe, because this process holds the lock of the directory.
  await rm(path, { force: true });
  await listen(server, () => {
    // The socket gets mode 0600 when it is created, so that no other user can ever connect.
    const former = process.umask(0o177);
    server.listen(path);
    process.umask(former);
  });
  return {
    url: `mongodb://${encodeURIComponent(path)}`,
    leave: () => rm(folder ?? path, { recursive: true, force: true }),
  };
}

function listen(server: Server, begin: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
    begin();
  });
}

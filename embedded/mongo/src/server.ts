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
  /** `mongodb://127.0.0.1:PORT`, or the path of the socket, escaped. */
  readonly url: string;
  urlOf(database: string): string;
  /** Ends all connections; everything acknowledged is in the files. */
  close(): Promise<void>;
}

export interface EmbeddedMongoOptions {
  /** Where the data is kept, and the socket on which the server listens for this user alone; absent: in memory only. */
  readonly directory?: string;
  /** Of a server in memory; 0, the default, takes any free port. */
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
    // A port answers every user of this machine. The driver knows no sockets on Windows.
    if (directory !== undefined && process.platform !== 'win32') return await listenAtSocket(server, directory);
    await listen(server, () => server.listen(port, host));
    return { url: `mongodb://${host}:${(server.address() as AddressInfo).port}`, leave: () => Promise.resolve() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

const socketName = 'store.sock';

/** What the address of a socket has room for, on the system that has least. */
const maxSocketPath = 100;

/** Listens on a socket of this user's in the data folder; in one made for it where that path is too long for an address. */
async function listenAtSocket(server: Server, directory: string): Promise<Place> {
  const near = resolvePath(directory, socketName);
  const isNear = Buffer.byteLength(near) <= maxSocketPath;
  const folder = isNear ? undefined : await mkdtemp(join(tmpdir(), 'store-'));
  const path = folder === undefined ? near : join(folder, socketName);
  // What a process that was killed has left; the lock of the directory is ours.
  await rm(path, { force: true });
  await listen(server, () => {
    // From the first moment on, nobody else may connect.
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

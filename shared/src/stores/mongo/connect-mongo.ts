import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { createConnection, mongo } from 'mongoose';
import type { Connection } from 'mongoose';

/** How long a call waits for a primary: longer than most elections, and a second less than the gateway's deadline. */
export const electionMilliseconds = 8_000;

export interface ConnectionLimits {
  readonly electionMilliseconds: number;
  readonly connectMilliseconds: number;
  readonly socketMilliseconds: number;
}

const usualLimits: ConnectionLimits = { electionMilliseconds, connectMilliseconds: 3_000, socketMilliseconds: 20_000 };

export interface ConnectOptions {
  /** Replaces the database in the address; the authentication database stays the same. */
  readonly database?: string;
  /** Whether the client emits an event for each command. */
  readonly monitorCommands?: boolean;
  readonly limits?: ConnectionLimits;
}

/**
 * Opens this service's own database. Indexes are created by `App.start`, not implicitly. Throws a plain sentence when
 * the server is no replica set.
 */
export async function connectMongo(
  url: string,
  { database, monitorCommands = false, limits = usualLimits }: ConnectOptions = {},
): Promise<Connection> {
  mendClosedConnections();
  const connection = await openPatiently(() =>
    createConnection(url, {
      ...(database !== undefined && { dbName: database }),
      autoIndex: false,
      autoCreate: false,
      bufferCommands: false,
      serverSelectionTimeoutMS: limits.electionMilliseconds,
      waitQueueTimeoutMS: limits.electionMilliseconds,
      connectTimeoutMS: limits.connectMilliseconds,
      // A frozen node is detected after both of these; commands that wait for it are then retried on another node.
      heartbeatFrequencyMS: 2_000,
      socketTimeoutMS: limits.socketMilliseconds,
      maxPoolSize: 50,
      monitorCommands,
    }).asPromise(),
  );
  try {
    await checkReplicaSet(connection);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return connection;
}

/** A replica set is required, since durable writes wait for a majority. */
export const replicaSetAdvice =
  'Start mongod with --replSet rs0, even if it is the only one, run rs.initiate() on it once, and have ?replicaSet=rs0 in the address.';

interface Hello {
  readonly setName?: string;
  /** `isdbgrid` for a mongos. */
  readonly msg?: string;
  /** Set by every mongod. The embedded store lacks it, and needs no replica set. */
  readonly topologyVersion?: object;
}

/** Throws a sentence with the remedy when the server is a standalone mongod. */
async function checkReplicaSet(connection: Connection): Promise<void> {
  const hello = (await connection.db?.admin().command({ hello: 1 })) as Hello | undefined;
  if (!hello?.topologyVersion || hello.setName !== undefined || hello.msg === 'isdbgrid') return;
  throw new Error(`the MongoDB there is no replica set. ${replicaSetAdvice}`);
}

/** How long a start goes on with servers that are slow, or that elect a primary. */
const startMilliseconds = 60_000;

async function openPatiently(open: () => Promise<Connection>): Promise<Connection> {
  const giveUpAt = performance.now() + startMilliseconds;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw explained(error);
    }
  }
}

/** The driver's view of the servers when it gave up. */
interface Topology {
  readonly setName: string | null;
  readonly servers: ReadonlyMap<string, { readonly type: string; readonly error: Error | null }>;
}

const isTopology = (reason: unknown): reason is Topology =>
  typeof reason === 'object' && reason !== null && 'servers' in reason && reason.servers instanceof Map;

/** Whether there are servers that have yet to answer, or that follow a primary which is not there at the moment. */
function isBusy(error: unknown): boolean {
  const reason = error instanceof Error && 'reason' in error ? error.reason : undefined;
  if (!isTopology(reason)) return false;
  return [...reason.servers.values()].some(
    ({ type, error: cause }) =>
      type === 'RSSecondary' || (type === 'Unknown' && (!cause || cause instanceof mongo.MongoNetworkTimeoutError)),
  );
}

/** The driver only reports that no server was found in time; this adds the reason where the servers' states show it. */
function explained(error: unknown): unknown {
  const reason = error instanceof Error && 'reason' in error ? error.reason : undefined;
  if (!isTopology(reason)) return error;
  const servers = [...reason.servers.values()];
  if (reason.setName !== null && servers.length === 0)
    return new Error(`no server of the address is in the replica set ${reason.setName}. ${replicaSetAdvice}`, {
      cause: error,
    });
  if (servers.length > 0 && servers.every(({ type }) => type === 'RSGhost'))
    return new Error(`the replica set there has yet to be made. ${replicaSetAdvice}`, { cause: error });
  return error;
}

/** The write concern of writes whose loss would break a promise: majority and journal. */
export const durable = { w: 'majority', j: true } as const;

/** The subset of the driver's internal connection that is used here. */
interface DriverConnection {
  readonly socket: Socket;
  readonly address: string;
  cleanup: (this: DriverConnection, error: Error) => void;
  writeCommand: (this: DriverConnection, ...parameters: unknown[]) => Promise<void>;
}

const ofMongoose = createRequire(require.resolve('mongoose'));
const { Connection: OpenConnection } = ofMongoose('mongodb/lib/cmap/connection.js') as {
  readonly Connection: { readonly prototype: DriverConnection };
};

let mended = false;

/**
 * Works around two defects of driver version 7.8.
 * 1. It hangs when it writes to a socket that is already closed, or that closes while its buffer is full: it waits for
 * `drain` or `error`, and a closed socket emits neither. The operation never ends; if it is the heartbeat, the server
 * stays unknown until the process restarts.
 * 2. Of the writes in flight when a server fails, it retries only the first: for the others the pool has been cleared
 * already, and it forgets to label their errors as retryable. Retrying is safe, since the server recognises a retry by
 * its transaction number (MongoDB specifications, "Retryable Writes").
 */
function mendClosedConnections(): void {
  if (mended) return;
  mended = true;
  const { cleanup, writeCommand } = OpenConnection.prototype;
  OpenConnection.prototype.cleanup = function (error) {
    if (error instanceof mongo.MongoNetworkError) error.addErrorLabel(mongo.MongoErrorLabel.RetryableWriteError);
    cleanup.call(this, error);
    // A write that waits for the buffer wakes up and sees the error that is set by now.
    this.socket.emit('drain');
  };
  OpenConnection.prototype.writeCommand = async function (...parameters) {
    if (this.socket.destroyed) {
      const error = new mongo.MongoNetworkError(`connection to ${this.address} closed`);
      this.cleanup(error);
      throw error;
    }
    await writeCommand.apply(this, parameters);
  };
}

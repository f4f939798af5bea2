import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { createConnection, mongo } from 'mongoose';
import type { Connection } from 'mongoose';
import { checkReplicaSet, explained } from './replica-set';

/** A call waits this long for a primary: longer than most elections take, and the gateway gives a call up a second later. */
export const electionMilliseconds = 8_000;

interface ConnectOptions {
  /** In place of the one that the address names; where users are looked up stays as the address has it. */
  readonly database?: string;
  /** The client emits an event for each command. */
  readonly monitorCommands?: boolean;
}

/**
 * Opens this service's own database; indexes are made by `App.start`, never behind the scenes. Throws a sentence when the
 * server is no replica set.
 */
export async function connectMongo(
  url: string,
  { database, monitorCommands = false }: ConnectOptions = {},
): Promise<Connection> {
  mendClosedConnections();
  const connection = await createConnection(url, {
    ...(database !== undefined && { dbName: database }),
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    serverSelectionTimeoutMS: electionMilliseconds,
    waitQueueTimeoutMS: electionMilliseconds,
    connectTimeoutMS: 3_000,
    // A node that is frozen is noticed after both of these; commands that wait for it are then made again elsewhere.
    heartbeatFrequencyMS: 2_000,
    socketTimeoutMS: 20_000,
    maxPoolSize: 50,
    monitorCommands,
  })
    .asPromise()
    .catch((error: unknown) => {
      throw explained(error);
    });
  try {
    await checkReplicaSet(connection);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return connection;
}

/** For writes whose loss would break a promise: on a majority, and in the journal. */
export const durable = { w: 'majority', j: true } as const;

/** The part of the driver's connection that matters here. */
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
 * Version 7.8 of the driver waits for ever when it writes to a socket that is closed already, or is closed while its buffer
 * is full: it listens for `drain` and `error` there, and a socket that just closes emits neither. An operation never
 * ends then, and when it is the heartbeat, the server stays unknown until the process is restarted.
 *
 * Of the writes that are under way when a server goes, it repeats the first alone: when the others fail, their pool has been
 * cleared, and it forgets to label their errors as retryable. A server knows a repeated write by its number, so that each
 * is made once (MongoDB specifications, "Retryable Writes").
 */
function mendClosedConnections(): void {
  if (mended) return;
  mended = true;
  const { cleanup, writeCommand } = OpenConnection.prototype;
  OpenConnection.prototype.cleanup = function (error) {
    if (error instanceof mongo.MongoNetworkError) error.addErrorLabel(mongo.MongoErrorLabel.RetryableWriteError);
    cleanup.call(this, error);
    // What waits for the buffer goes on and meets the error that is set by now.
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

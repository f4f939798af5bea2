import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { mongo } from 'mongoose';

/** The part of the driver's connection that matters here. */
interface DriverConnection {
  readonly socket: Socket;
  readonly address: string;
  cleanup: (this: DriverConnection, error: Error) => void;
  writeCommand: (this: DriverConnection, ...parameters: unknown[]) => Promise<void>;
}

const ofMongoose = createRequire(require.resolve('mongoose'));
const { Connection } = ofMongoose('mongodb/lib/cmap/connection.js') as {
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
export function mendClosedConnections(): void {
  if (mended) return;
  mended = true;
  const { cleanup, writeCommand } = Connection.prototype;
  Connection.prototype.cleanup = function (error) {
    if (error instanceof mongo.MongoNetworkError) error.addErrorLabel(mongo.MongoErrorLabel.RetryableWriteError);
    cleanup.call(this, error);
    // What waits for the buffer goes on and meets the error that is set by now.
    this.socket.emit('drain');
  };
  Connection.prototype.writeCommand = async function (...parameters) {
    if (this.socket.destroyed) {
      const error = new mongo.MongoNetworkError(`connection to ${this.address} closed`);
      this.cleanup(error);
      throw error;
    }
    await writeCommand.apply(this, parameters);
  };
}

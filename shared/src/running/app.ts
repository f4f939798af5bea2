import type { Server } from 'node:http';
import type { Express } from 'express';

/**
 * A composed deployable that does not run yet: `start` prepares the store and subscribes, `stop` finishes running work.
 */
export interface App {
  readonly http: Express;
  /** Sets limits on the server that will serve `http`. */
  readonly guard?: (server: Server) => void;
  /** Creates the indexes without taking any work: no messages, calls or due jobs. */
  prepareStore(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Something to be closed, in order, when the process stops. */
export interface Closable {
  close(): Promise<void> | void;
}

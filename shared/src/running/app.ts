import type { Server } from 'node:http';
import type { Express } from 'express';

/** One deployable, composed but not yet running: `start` prepares the store and subscribes, `stop` finishes what is under way. */
export interface App {
  readonly http: Express;
  /** Sets the limits of the server that will serve `http`. */
  readonly guard?: (server: Server) => void;
  /** Makes the indexes and takes no work: neither messages nor calls, and nothing that is due. */
  prepareStore(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Whatever is closed, in order, when the process stops. */
export interface Closable {
  close(): Promise<void> | void;
}

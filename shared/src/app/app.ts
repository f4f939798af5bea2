import type { Express } from 'express';

/** One deployable, composed but not yet running: `start` makes indexes and subscribes, `stop` finishes what is under way. */
export interface App {
  readonly http: Express;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Whatever is closed, in order, when the process stops. */
export interface Closable {
  close(): Promise<void> | void;
}

import type { IncomingMessage } from 'node:http';
import type { AppError } from '@itsm/shared/base/errors/app-error';
import { watchPace } from './body-pace';
import type { Timer } from './body-pace';
import { createHeldBytes } from './held-bytes';
import type { HeldBytes } from './held-bytes';

/** The limits on incoming bodies: their pace and the bytes that are buffered. */
export interface Bodies {
  readonly held: HeldBytes;
  /** Calls `late` once when the body of `req` comes too slowly. */
  watchPace(req: IncomingMessage, late: (error: AppError) => void): void;
}

/** Uses the system's timer by default. */
export const createBodies = (timer?: Timer): Bodies => ({
  held: createHeldBytes(),
  watchPace: (req, late) => watchPace(req, late, timer),
});

import type { Collection, mongo } from 'mongoose';
import { durable } from './connect-mongo';

interface Waiting<D> {
  readonly document: D;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Documents in one command; the store accepts 100,000, and memory should not be asked for that many. */
const mostAtOnce = 500;

/**
 * Durable inserts that share commands: what arrives while one is on its way goes into the next, so that a busy service
 * waits for the journal once for many. Each caller learns of its own document alone, a duplicate key as `code` 11000.
 */
export function createGroupInsert<D extends object>(collection: Collection<D>): (document: D) => Promise<void> {
  const waiting: Waiting<D>[] = [];
  let busy = false;

  async function write(group: readonly Waiting<D>[]): Promise<void> {
    try {
      const documents = group.map(({ document }) => document) as mongo.OptionalUnlessRequiredId<D>[];
      await collection.insertMany(documents, { ordered: false, writeConcern: durable });
    } catch (error) {
      const refused = refusals(error);
      for (const [index, { reject }] of group.entries()) {
        // Without a word on the single documents nobody knows what became of them.
        if (!refused) reject(error);
        else if (refused.has(index)) reject(refused.get(index));
      }
    }
    for (const { resolve } of group) resolve();
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) await write(waiting.splice(0, mostAtOnce));
    busy = false;
  }

  return (document) =>
    new Promise((resolve, reject) => {
      waiting.push({ document, resolve, reject });
      if (busy) return;
      busy = true;
      // Requests that are read in the same turn of the event loop belong together.
      setImmediate(() => void writeAll());
    });
}

/** By the place of the document: what the store said against it. Undefined when it did not come to single documents. */
function refusals(error: unknown): ReadonlyMap<number, Error> | undefined {
  if (!(error instanceof Error) || !('writeErrors' in error)) return undefined;
  const all = [error.writeErrors].flat() as {
    readonly index: number;
    readonly code: number;
    readonly errmsg?: string;
  }[];
  if (all.length === 0) return undefined;
  return new Map(
    all.map(({ index, code, errmsg = 'refused' }) => [index, Object.assign(new Error(errmsg), { code })] as const),
  );
}

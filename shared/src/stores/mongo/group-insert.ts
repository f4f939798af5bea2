import type { Collection, mongo } from 'mongoose';
import { createBatcher } from './batcher';
import { bulkRefusals } from './bulk-refusals';
import { durable } from './connect-mongo';

/** Documents per command; the store accepts 100,000, but that would take too much memory. */
const mostAtOnce = 500;

/**
 * Durable inserts that share commands (group commit): inserts that arrive while one is in flight go into the next, so
 * that a busy service waits for the journal once for many. Each caller gets the result of its own document only; a
 * duplicate key has `code` 11000.
 */
export function createGroupInsert<D extends object>(collection: Collection<D>): (document: D) => Promise<void> {
  const add = createBatcher<D, Error | undefined>(
    async (documents) => {
      try {
        const all = [...documents] as mongo.OptionalUnlessRequiredId<D>[];
        await collection.insertMany(all, { ordered: false, writeConcern: durable });
        return [];
      } catch (error) {
        const refused = bulkRefusals(error);
        // Without per-document results, no document is known to be stored.
        if (!refused) throw error;
        return documents.map((_, index) => {
          const refusal = refused.get(index);
          return refusal && Object.assign(new Error(refusal.errmsg ?? 'refused'), { code: refusal.code });
        });
      }
    },
    { most: mostAtOnce },
  );

  return async (document) => {
    const refused = await add(document);
    if (refused) throw refused;
  };
}

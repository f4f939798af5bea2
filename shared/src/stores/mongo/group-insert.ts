import type { Collection, mongo } from 'mongoose';
import { createBatcher } from './batcher';
import { bulkRefusals } from './bulk-refusals';
import { durable } from './connect-mongo';

/** Documents in one command; the store accepts 100,000, and memory should not be asked for that many. */
const mostAtOnce = 500;

/**
 * Durable inserts that share commands: what arrives while one is on its way goes into the next, so that a busy service
 * waits for the journal once for many. Each caller learns of its own document alone, a duplicate key as `code` 11000.
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
        // Without results for the single documents, none of them is known to be stored.
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

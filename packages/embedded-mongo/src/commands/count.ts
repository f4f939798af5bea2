import type { Document } from '../documents/document';
import { nextTurn } from '../query/pauses';
import { createSearch } from '../query/search';
import type { Collection } from '../storage/collection';
import { findCollection } from './command';
import type { CommandHandler } from './command';
import { checkCollation, countField, documentField } from './fields';

export const count: CommandHandler = {
  writes: false,
  async run(context, command) {
    const { body } = command;
    checkCollation(body);
    const collection = findCollection(context, command);
    const filter = documentField(body, 'query') ?? {};
    const skip = countField(body, 'skip') ?? 0;
    // A negative limit means its absolute value.
    const limit = typeof body['limit'] === 'number' ? Math.abs(body['limit']) : 0;
    return { n: collection ? await countMatches(collection, { filter, skip, limit, hint: body['hint'] }) : 0, ok: 1 };
  },
};

/** The number of matching documents. Without filter and limit, the size of the collection is enough. */
export async function countMatches(
  collection: Collection,
  request: { filter: Document; skip?: number; limit?: number; hint?: unknown },
): Promise<number> {
  if (Object.keys(request.filter).length === 0 && !request.limit)
    return Math.max(0, collection.records.size - (request.skip ?? 0));
  const counting = createSearch(collection, request).count();
  for (;;) {
    const { value, done } = counting.next();
    if (done === true) return value;
    await nextTurn();
  }
}

import type { Model, QueryOptions } from 'mongoose';
import { wordIndex } from './record-indexes';
import type { RecordDocument } from './record-schema';
import { sharedAs } from './record-selection';
import type { Selection } from './record-selection';
import type { RecordType } from './record-type';

/** How a selection is looked for: with its words in the best order, and by a certain index where that is known. */
export interface Search {
  readonly selection: Selection;
  /** For the options of the store's queries. */
  readonly hint: Pick<QueryOptions, 'hint'>;
  /** Whether so many records may have the words that an order is better walked along its own index first. */
  readonly isBroad: boolean;
}

/** A word that fewer records have is rare: these can be read and put into any order within milliseconds. */
const rare = 2_000;

/**
 * The store has an index for every filter and order, tries each of them on a text, and keeps no plan that found nothing. The
 * words are therefore counted, as far as it matters, and the records with the rarest one are looked through.
 */
export async function planSearch(
  model: Model<RecordDocument>,
  type: RecordType,
  accountId: string,
  selection: Selection,
): Promise<Search> {
  const { words = [], reach } = selection;
  // Records of partners stand in other parts of the index.
  const isShared = reach.partners.length > 0 && sharedAs(type).length > 0;
  if (words.length === 0 || isShared) return { selection, hint: {}, isBroad: false };
  const counted = await Promise.all(
    words.map(async (word) => {
      const where = { accountId, words: word };
      return { word, count: await model.countDocuments(where, { limit: rare, hint: wordIndex }) };
    }),
  );
  counted.sort((one, other) => one.count - other.count);
  const isBroad = (counted[0]?.count ?? 0) >= rare;
  // A single word that many have is found by whatever else is asked for, as any filter is.
  if (isBroad && words.length === 1) return { selection, hint: {}, isBroad: false };
  return { selection: { ...selection, words: counted.map(({ word }) => word) }, hint: { hint: wordIndex }, isBroad };
}

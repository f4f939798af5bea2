import type { Model } from 'mongoose';
import { wordKey } from './record-indexes';
import type { Hint } from './record-page';
import type { RecordDocument } from './record-schema';
import { sharedAs } from './record-selection';
import type { Selection } from './record-selection';
import type { RecordType } from './record-type';

/** How a selection is looked for: its words in the best order, and the index to use where that is known. */
export interface Search {
  readonly selection: Selection;
  /** For the options of the store's queries. */
  readonly hint: Hint;
  /** Each of the words is in as many records as were counted, or more. */
  readonly isBroad: boolean;
}

/** What fewer records have is rare: these can be read and put into any order within milliseconds. */
export const rare = 2_000;
/** How far the words of a broad search are counted. */
export const broad = 100_000;

/**
 * The store has an index for every filter and order, tries all of them on a text, and keeps no plan that found nothing. So
 * the words are counted, up to `most`, and the records with the rarest one are looked through.
 */
export async function planSearch(
  model: Model<RecordDocument>,
  type: RecordType,
  accountId: string,
  selection: Selection,
  most: number,
): Promise<Search> {
  const { words = [], reach } = selection;
  // What partners share stands in other parts of the index.
  const isShared = reach.partners.length > 0 && sharedAs(type).length > 0;
  if (words.length === 0 || isShared) return { selection, hint: {}, isBroad: false };
  const counted = await Promise.all(
    words.map(async (word) => {
      const where = { accountId, words: word };
      return { word, count: await model.countDocuments(where, { limit: most, hint: wordKey }) };
    }),
  );
  counted.sort((one, other) => one.count - other.count);
  const isBroad = (counted[0]?.count ?? 0) >= most;
  // A single word that many have is like any other filter.
  if (isBroad && words.length === 1) return { selection, hint: {}, isBroad: false };
  return { selection: { ...selection, words: counted.map(({ word }) => word) }, hint: { hint: wordKey }, isBroad };
}

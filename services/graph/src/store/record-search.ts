import type { Model } from 'mongoose';
import { keyOfCondition, keyOfOwners, wordKey } from './record-indexes';
import type { Hint } from './record-page';
import type { RecordDocument } from './record.document';
import { conditionWhere, sharedAs, wordWhere } from './record-selection';
import type { Selection } from './record-selection';
import type { RecordType } from '../record-types/record-type';

/** A planned query: the selection with its words in the best order, and the index to use where it is known. */
export interface Search {
  readonly selection: Selection;
  /** The `hint` option of the store's queries. */
  readonly hint: Hint;
  /** Whether no part is selective: each matches at least as many records as were counted. */
  readonly isBroad: boolean;
}

/** Below this count a part is selective: its records can be read and sorted within milliseconds. */
const rare = 2_000;

/** Counting limits, a small one first: when one word is absent, hardly any entries of a common one are read. */
export const quickSteps = [64, rare] as const;
/** The counting limit when the quick steps found no selective part. */
export const farStep = 100_000;

/** A part of a selection, and the index in which its matches are one range. */
interface Part {
  readonly where: object;
  readonly key: NonNullable<Hint['hint']>;
  readonly word?: string;
}

/**
 * Plans a full-text query by itself. The store's own planner would try the index of every filter and order, and caches
 * no plan for queries without results. So the matches of each part are counted, with growing limits, until one part is
 * selective; its index is used. `isInOrder`: the index of a word provides the requested order.
 */
export async function planSearch(
  model: Model<RecordDocument>,
  type: RecordType,
  accountId: string,
  selection: Selection,
  { steps, isInOrder, within }: { steps: readonly number[]; isInOrder: boolean; within: () => object },
): Promise<Search> {
  const { words = [], reach } = selection;
  // Records that partners share are in other ranges of the index.
  const isShared = reach.partners.length > 0 && sharedAs(type).length > 0;
  if (words.length === 0 || isShared) return { selection, hint: {}, isBroad: false };
  let parts = partsOf(type, selection);
  const isAlone = parts.length === 1 && isInOrder;
  for (const most of isAlone ? [] : steps) {
    const counted = await Promise.all(
      parts.map(async (part) => {
        const where = { accountId, ...part.where };
        const count = await model.countDocuments(where, { ...within(), limit: most, hint: part.key });
        return { part, count };
      }),
    );
    counted.sort((one, other) => one.count - other.count);
    parts = counted.map(({ part }) => part);
    if ((counted[0]?.count ?? 0) < most) return along(selection, parts, false);
  }
  return along(selection, parts, !isAlone);
}

/** Uses the index of the first part; of several words the store looks up the first. */
function along(selection: Selection, parts: readonly Part[], isBroad: boolean): Search {
  const words = parts.flatMap(({ word }) => (word === undefined ? [] : [word]));
  return { selection: { ...selection, words }, hint: { hint: parts[0]?.key ?? wordKey }, isBroad };
}

function partsOf(type: RecordType, { words = [], conditions, ownedBy, reach }: Selection): Part[] {
  const owner = ownedBy ?? (typeof reach.who === 'number' ? reach.who : undefined);
  const ownersKey = owner === undefined ? undefined : keyOfOwners(type);
  return [
    ...words.map((word) => ({ where: wordWhere(word), key: wordKey, word })),
    ...conditions.flatMap((condition) => {
      const key = keyOfCondition(type, condition);
      return key ? [{ where: conditionWhere(type, condition), key }] : [];
    }),
    ...(ownersKey ? [{ where: { owners: owner }, key: ownersKey }] : []),
  ];
}

import type { Model } from 'mongoose';
import { keyOfCondition, keyOfOwners, wordKey } from './record-indexes';
import type { Hint } from './record-page';
import type { RecordDocument } from './record.document';
import { conditionWhere, sharedAs } from './record-selection';
import type { Selection } from './record-selection';
import type { RecordType } from '../record-types/record-type';

/** How a selection is looked for: its words in the best order, and the index to use where that is known. */
export interface Search {
  readonly selection: Selection;
  /** For the options of the store's queries. */
  readonly hint: Hint;
  /** Each part of the selection is met by as many records as were counted, or more. */
  readonly isBroad: boolean;
}

/** What fewer records have is rare: these can be read and put into any order within milliseconds. */
const rare = 2_000;

/** How far is counted: a small step first, so that beside an absent word hardly any entries of a common one are read. */
export const quickSteps = [64, rare] as const;
/** For what the quick steps leave open. */
export const farStep = 100_000;

/** A part of a selection, and the index in which the records that meet it stand together. */
interface Part {
  readonly where: object;
  readonly key: NonNullable<Hint['hint']>;
  readonly word?: string;
}

/**
 * The store has an index for every filter and order, tries all of them on a text, and keeps no plan that found nothing. So
 * the records that meet each part of the selection are counted, in steps, until some part is met by fewer than the step; the
 * records that meet it are looked through. `isInOrder`: the index of a word gives what is asked for in the right order.
 */
export async function planSearch(
  model: Model<RecordDocument>,
  type: RecordType,
  accountId: string,
  selection: Selection,
  { steps, isInOrder, within }: { steps: readonly number[]; isInOrder: boolean; within: () => object },
): Promise<Search> {
  const { words = [], reach } = selection;
  // What partners share stands in other parts of the index.
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

/** Along the index of the first part; of several words the store looks up the first one. */
function along(selection: Selection, parts: readonly Part[], isBroad: boolean): Search {
  const words = parts.flatMap(({ word }) => (word === undefined ? [] : [word]));
  return { selection: { ...selection, words }, hint: { hint: parts[0]?.key ?? wordKey }, isBroad };
}

function partsOf(type: RecordType, { words = [], conditions, ownedBy, reach }: Selection): Part[] {
  const owner = ownedBy ?? (typeof reach.who === 'number' ? reach.who : undefined);
  const ownersKey = owner === undefined ? undefined : keyOfOwners(type);
  return [
    ...words.map((word) => ({ where: { words: word }, key: wordKey, word })),
    ...conditions.flatMap((condition) => {
      const key = keyOfCondition(type, condition);
      return key ? [{ where: conditionWhere(type, condition), key }] : [];
    }),
    ...(ownersKey ? [{ where: { owners: owner }, key: ownersKey }] : []),
  ];
}

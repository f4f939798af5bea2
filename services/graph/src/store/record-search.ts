import type { OrderStep } from '@itsm/shared/api/rest/order';
import type { Model } from 'mongoose';
import { alongOrder, isById, isServed } from './record-page';
import type { Hint } from './record-page';
import { mostRanges, partsOfSelection } from './record-parts';
import type { Part } from './record-parts';
import type { RecordDocument } from './record.document';
import { conditionWhere, pathOf, placeWhere, positive, sharedAs } from './record-selection';
import type { Selection, Where } from './record-selection';
import type { RecordType } from '../record-types/record-type';

/** A planned query: the selection with its words in the best order, and the index to use where it is known. */
export interface Search {
  readonly selection: Selection;
  /** The `hint` option of the store's queries. */
  readonly hint: Hint;
  /** Conditions that exclude no record, but make the ranges of the index narrower, or end in the id. */
  readonly open?: Where;
  /** A scan in the requested order, for a search without a selective part: it soon finds matches that are many. */
  readonly inOrder?: SearchInOrder;
}

export interface SearchInOrder extends Search {
  /** What the index finds of the selection; all of these records are passed. */
  readonly passed: Where;
}

/** Below this count a part is selective: its records can be read and sorted within milliseconds. */
const rare = 2_000;

/** Counting limits, a small one first: when one word is absent, hardly any entries of a common one are read. */
export const quickSteps = [64, rare] as const;
/** The counting limit when the quick steps found no selective part. */
export const farStep = 100_000;

interface Planning {
  readonly steps: readonly number[];
  /** The requested order; absent for a count. */
  readonly order?: readonly OrderStep[];
  readonly within: () => object;
}

/**
 * Plans a query by itself. The store's own planner would try the index of every filter and order, and caches no plan
 * for queries without results. So the matches of each part are counted, with growing limits, until one part is
 * selective; its index is used. Nothing is counted when there is one part only, and an index has it in the order.
 */
export async function planSearch(
  model: Model<RecordDocument>,
  type: RecordType,
  accountId: string,
  selection: Selection,
  { steps, order, within }: Planning,
): Promise<Search> {
  // Records that partners share are in other ranges of the index.
  const isShared = selection.reach.partners.length > 0 && sharedAs(type).length > 0;
  let parts = isShared ? [] : partsOfSelection(type, selection);
  const [only] = parts;
  if (!only) return { selection, hint: {} };
  const inOrder = order && scanOf(type, selection, order, parts);
  if (parts.length === 1 && (!order || inOrder?.isAlone))
    return inOrder?.search ?? { selection, hint: { hint: only.key } };
  // A small limit tells apart several parts; of one part alone it would only cost another command.
  for (const most of parts.length === 1 ? steps.slice(-1) : steps) {
    const counted = await Promise.all(
      parts.map(async (part) => {
        const where = { accountId: placeWhere(accountId, selection), ...part.where, ...(order && part.between) };
        const count = await model.countDocuments(where, { ...within(), limit: most, hint: part.key });
        return { part, count };
      }),
    );
    counted.sort((one, other) => one.count - other.count);
    parts = counted.map(({ part }) => part);
    if ((counted[0]?.count ?? 0) < most) return along(selection, parts);
  }
  const scan = order && scanOf(type, selection, order, parts);
  return { ...along(selection, parts), ...(scan && { inOrder: scan.search }) };
}

/**
 * A scan in the order: along the first part whose index provides it, or along all records. `isAlone`: it passes only
 * records of the first part. Undefined when no index provides the order.
 */
function scanOf(type: RecordType, selection: Selection, order: readonly OrderStep[], parts: readonly Part[]) {
  if (!isServed(type, order)) return undefined;
  const { selection: ordered } = along(selection, parts);
  // Words that occur together are found sooner among all records.
  const isOneWord = parts.length === 1 || selection.words === undefined;
  const part = isById(order) && isOneWord ? parts.find(({ ranges }) => ranges <= mostRanges) : undefined;
  if (part) {
    const passed = { ...part.where, ...part.open };
    const search = { selection: ordered, hint: { hint: part.key }, open: part.open, passed };
    return { isAlone: part === parts[0], search };
  }
  const conditions = selection.conditions.map((condition) => positive(type, condition));
  const key = alongOrder(type, order, conditions);
  const [, first] = Object.keys(key);
  const found = conditions.find((condition) => 'in' in condition && pathOf(condition.property) === first);
  const passed = found ? conditionWhere(type, found) : {};
  const paths = Object.keys(parts[0]?.where ?? {});
  const search = { selection: ordered, hint: { hint: key }, passed };
  return { isAlone: paths.length === 1 && paths[0] === first, search };
}

/** Uses the index of the first part; of several words the store looks up the first. */
function along(selection: Selection, [first, ...others]: readonly Part[]): Search {
  const words = [first, ...others].flatMap((part) => part?.word ?? []);
  return {
    selection: { ...selection, ...(selection.words && { words }) },
    ...(first ? { hint: { hint: first.key }, open: first.between } : { hint: {} }),
  };
}

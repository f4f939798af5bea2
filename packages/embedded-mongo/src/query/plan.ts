import type { Document } from '../documents/document';
import { equalValues } from '../documents/key-string';
import { tagOf, typeTags } from '../documents/type-tags';
import { CommandError } from '../errors/command-error';
import type { Collection } from '../storage/collection';
import type { CollectionIndex } from '../storage/collection-index';
import { constraintsOf } from './constraints';
import type { Constraints } from './constraints';
import { parseFilter } from './filter-tree';
import type { FilterTree } from './filter-tree';
import { keyRangesOf } from './key-ranges';
import type { IndexUse } from './key-ranges';
import { holdsForIndex } from './index-membership';
import type { SortField } from './sort';
import type { Candidate, IndexPlan } from './index-plan';
import { cheapest } from './plan-cost';

/** The access path to the records that a filter may match. */
export type Plan =
  | { readonly kind: 'collection'; readonly reverse: boolean }
  | IndexPlan
  /** One plan per branch of an `$or`. */
  | { readonly kind: 'union'; readonly branches: readonly IndexPlan[] };

export interface PlanRequest {
  readonly filter: Document;
  readonly sort: readonly SortField[];
  /** An index, by name or key pattern, or `{ $natural: ±1 }`. */
  readonly hint?: unknown;
  /** Maximum number of records; 0 or absent: no limit. */
  readonly limit?: number;
}

/** Maximum number of ranges that are merged to get the sort order from the index, as in MongoDB. */
const maxMerged = 200;

/**
 * Chooses a plan, in this order: the hint; the cheapest index if any index narrows the search; a union for an `$or`; an
 * index that gives only the sort order; a collection scan.
 */
export function planQuery(collection: Collection, { filter, sort, hint, limit = 0 }: PlanRequest): Plan {
  const natural = (hint as { $natural?: number } | undefined)?.$natural;
  if (natural !== undefined) return { kind: 'collection', reverse: natural < 0 };
  const constraints = constraintsOf(filter);
  if (hint !== undefined) return candidate(hintedIndex(collection, hint), constraints, sort);
  const candidates = candidatesFor(collection, parseFilter(filter), constraints, sort);
  const best = cheapest(candidates, sort.length > 0, limit);
  if (candidates.some(({ score }) => score > 3)) return best as Candidate;
  return unionOf(collection, filter) ?? best ?? { kind: 'collection', reverse: false };
}

/** If every branch of an `$or` (with the other conditions) has an index, the plan is their union. */
function unionOf(collection: Collection, { $or: branches, ...others }: Document): Plan | undefined {
  if (!Array.isArray(branches)) return undefined;
  const plans: IndexPlan[] = [];
  for (const branch of branches) {
    const plan = planQuery(collection, { filter: { $and: [branch, others] }, sort: [] });
    if (plan.kind !== 'index') return undefined;
    plans.push(plan);
  }
  return { kind: 'union', branches: plans };
}

function candidatesFor(
  collection: Collection,
  filter: FilterTree,
  constraints: Constraints,
  sort: readonly SortField[],
): Candidate[] {
  if (constraints.byPath.size === 0 && sort.length === 0) return [];
  return [...collection.indexes.values()]
    .filter((index) => holdsForIndex(index.spec, filter, constraints))
    .flatMap((index) => variantsOf(index, constraints).map((variant) => candidate(index, variant, sort)))
    .filter(({ score }) => score > 0);
}

/** The constraints, and a variant for each further constraint on a path of the index. */
const variantsOf = (index: CollectionIndex, constraints: Constraints): Constraints[] => [
  constraints,
  ...constraints.further
    .filter(([further]) => index.fields.some(({ path }) => path === further))
    .map((further) => ({ ...constraints, byPath: new Map([...constraints.byPath, further]) })),
];

function candidate(index: CollectionIndex, constraints: Constraints, sort: readonly SortField[]): Candidate {
  const use = keyRangesOf(index, constraints);
  const order = sortOrder(index, use, constraints, sort);
  const unique = index.unique && use.pointFields === index.fields.length;
  const score = (unique ? 1000 : 0) + use.pointFields * 10 + (use.hasRange ? 5 : 0) + (order === undefined ? 0 : 3);
  return {
    kind: 'index',
    index,
    ranges: use.ranges,
    reverse: order === 'reverse',
    sorted: order !== undefined,
    proves: proves(index, use, constraints),
    score,
    constrained: use.pointFields + (use.hasRange ? 1 : 0),
  };
}

/** The direction in which the index gives the sort order; undefined if it does not. */
function sortOrder(
  index: CollectionIndex,
  use: IndexUse,
  constraints: Constraints,
  sort: readonly SortField[],
): 'forward' | 'reverse' | undefined {
  const { multikeyFields } = index;
  // A multikey field with points has one entry per point, so it does not disturb the order of the fields after it.
  if (sort.length === 0 || [...multikeyFields].some((position) => position >= use.pointFields)) return undefined;
  if (use.ranges.length > maxMerged) return undefined;
  // A field with an equality condition does not affect the order, unless the index is multikey on it.
  const isOneValue = (path: string): boolean =>
    index.fields.slice(0, use.pointFields).some((field, i) => field.path === path && !multikeyFields.has(i)) &&
    isOne(constraints.byPath.get(path)?.points);
  const wanted = sort.filter(({ path }) => !isOneValue(path));
  const fields = index.fields.slice(use.pointFields);
  if (wanted.length > fields.length || wanted.some(({ path }, i) => fields[i]?.path !== path)) return undefined;
  const turned = wanted.map(({ descending }, i) => descending !== fields[i]?.descending);
  if (turned.every((turn) => !turn)) return 'forward';
  return turned.every((turn) => turn) ? 'reverse' : undefined;
}

/** Equality with null is not one value: as in MongoDB, it also matches a missing field. */
const isOne = (points: readonly unknown[] = []): boolean => points.length === 1 && tagOf(points[0]) !== typeTags.null;

function proves(index: CollectionIndex, use: IndexUse, constraints: Constraints): boolean {
  if (!constraints.complete || index.isMultikey()) return false;
  const used = index.fields.slice(0, use.pointFields + (use.hasRange ? 1 : 0)).map(({ path }) => path);
  return [...constraints.byPath].every(([path, constraint]) => constraint.complete && used.includes(path));
}

function hintedIndex(collection: Collection, hint: unknown): CollectionIndex {
  for (const index of collection.indexes.values()) {
    if (index.spec.name === hint || equalValues(index.spec.key, hint)) return index;
  }
  throw new CommandError('BadValue', 'hint provided does not correspond to an existing index');
}

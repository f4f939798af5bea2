import { compareValues, keyString } from '../documents/key-string';
import { tagOf, typeTags } from '../documents/type-tags';
import type { IndexSpec } from '../storage/index-spec';
import type { Constraint, Constraints } from './constraints';
import type { Comparison, FilterTree } from './filter-tree';
import { parseFilter } from './filter-tree';

/**
 * True if every document that the filter matches is in this index, which may be sparse or partial. Follows MongoDB 6.0
 * exactly (`isSubsetOf` in its `expression_algo.cpp`), so that both use the index for the same filters. For example,
 * MongoDB does not infer from an equality with a string that the field has type string.
 */
export function holdsForIndex(spec: IndexSpec, filter: FilterTree, constraints: Constraints): boolean {
  if (spec.sparse === true) {
    const [first = ''] = Object.keys(spec.key);
    return demandsPresence(constraints.byPath.get(first));
  }
  return spec.partialFilterExpression === undefined || isSubset(filter, parseFilter(spec.partialFilterExpression));
}

/** True if the constraint excludes null and missing values, as every range does. */
const demandsPresence = (constraint: Constraint | undefined): boolean =>
  constraint !== undefined &&
  (constraint.lower !== undefined ||
    constraint.upper !== undefined ||
    (constraint.points?.every((value) => value !== null && value !== undefined) ?? false));

function isSubset(query: FilterTree, index: FilterTree): boolean {
  if (same(query, index)) return true;
  if (index.kind === 'or' && index.branches.some((branch) => isSubset(query, branch))) return true;
  if (index.kind === 'and') return index.branches.every((branch) => isSubset(query, branch));
  if (query.kind === 'and') return query.branches.some((branch) => isSubset(branch, index));
  if (query.kind === 'or') return query.branches.every((branch) => isSubset(branch, index));
  if (isComparison(index)) return comparisonsOf(query).every((one) => one !== undefined && isWithin(one, index));
  if (index.kind === 'exists') return demandsExistence(query, index.path);
  if (index.kind === 'in' && 'path' in query && query.path === index.path) return isWithinList(query, index.operands);
  return false;
}

type Compared = Extract<FilterTree, { kind: Comparison }>;

const isComparison = (tree: FilterTree): tree is Compared =>
  tree.kind === 'eq' || tree.kind === 'lt' || tree.kind === 'lte' || tree.kind === 'gt' || tree.kind === 'gte';

/** The filter as a disjunction of comparisons; `[undefined]` if it is not one. */
function comparisonsOf(query: FilterTree): (Compared | undefined)[] {
  if (isComparison(query)) return [query];
  if (query.kind !== 'in' || query.operands.some((one) => one instanceof RegExp)) return [undefined];
  return query.operands.map((operand) => ({ kind: 'eq', path: query.path, operand }));
}

function isWithin(query: Compared, index: Compared): boolean {
  if (query.path !== index.path || tagOf(query.operand) !== tagOf(index.operand)) return false;
  const inclusive = index.kind !== 'lt' && index.kind !== 'gt';
  if (Number.isNaN(query.operand) || Number.isNaN(index.operand)) {
    const both = Number.isNaN(query.operand) && Number.isNaN(index.operand);
    return both && inclusive && query.kind !== 'lt' && query.kind !== 'gt';
  }
  const order = compareValues(query.operand, index.operand);
  if (query.kind === index.kind && order === 0) return true;
  if (index.kind === 'lt' || index.kind === 'lte') {
    if (query.kind === 'gt' || query.kind === 'gte') return false;
    return inclusive ? order <= 0 : order < 0;
  }
  if (index.kind === 'gt' || index.kind === 'gte') {
    if (query.kind === 'lt' || query.kind === 'lte') return false;
    return inclusive ? order >= 0 : order > 0;
  }
  return false;
}

function isWithinList(query: FilterTree, operands: readonly unknown[]): boolean {
  if (operands.some((one) => one instanceof RegExp)) return false;
  const listed = new Set(operands.map(keyString));
  return comparisonsOf(query).every((one) => one?.kind === 'eq' && listed.has(keyString(one.operand)));
}

const isNull = (value: unknown): boolean => tagOf(value) === typeTags.null;

function demandsExistence(query: FilterTree, path: string): boolean {
  if (query.kind === 'not') return excludesNull(query.branch, path);
  if (!('path' in query) || query.path !== path) return false;
  if (isComparison(query)) return !isNull(query.operand);
  return query.kind !== 'in' || !query.operands.some(isNull);
}

function excludesNull(denied: FilterTree, path: string): boolean {
  if (denied.kind === 'eq') return denied.path === path && isNull(denied.operand);
  return denied.kind === 'in' && denied.path === path && denied.operands.some(isNull);
}

/** True if the filters are equal apart from the order of branches, types and listed values. */
function same(a: FilterTree, b: FilterTree): boolean {
  return a.kind === b.kind && keyOf(a) === keyOf(b);
}

function keyOf(tree: FilterTree): string {
  if ('branches' in tree) return `${tree.kind}(${tree.branches.map(keyOf).sort().join(',')})`;
  if ('branch' in tree) return `${tree.kind}(${keyOf(tree.branch)})`;
  if (tree.kind === 'type')
    return `type ${tree.path} ${tree.types
      .map(({ name }) => name)
      .sort()
      .join(',')}`;
  if ('condition' in tree) return `${tree.kind} ${tree.path} (${keyOf(tree.condition)})`;
  if (tree.kind === 'in') return `in ${tree.path} ${tree.operands.map(keyString).sort().join(',')}`;
  return keyString(tree);
}

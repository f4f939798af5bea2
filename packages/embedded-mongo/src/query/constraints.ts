import { isDocument } from '../documents/document';
import type { Document } from '../documents/document';
import { tagOf, typeTags } from '../documents/type-tags';

/** A bound of a range. Both bounds of a range have the same canonical type. */
export interface Bound {
  readonly value: unknown;
  readonly inclusive: boolean;
}

/** A filter's condition on one path, as far as an index can use it. */
export interface Constraint {
  /** The value equals one of these. */
  points?: unknown[];
  lower?: Bound;
  upper?: Bound;
  /** True if both bounds hold for the same element of an array. */
  ofOneElement?: true;
  /** True if the constraint is equivalent to the condition, so that the matcher need not check it. */
  complete: boolean;
}

export interface Constraints {
  readonly byPath: ReadonlyMap<string, Constraint>;
  /** Further constraints on paths that `byPath` already has. A plan may use one of them instead. */
  readonly further: readonly (readonly [path: string, constraint: Constraint])[];
  /** True if each condition of the filter has its own constraint in `byPath`. */
  readonly complete: boolean;
}

/** Collects the conditions of a filter that an index can answer, including those in its top-level `$and`. */
export function constraintsOf(filter: Document): Constraints {
  const byPath = new Map<string, Constraint>();
  const further: [string, Constraint][] = [];
  const complete = collect(filter, byPath, further);
  return { byPath, further, complete };
}

function collect(filter: Document, byPath: Map<string, Constraint>, further: [string, Constraint][]): boolean {
  let complete = true;
  for (const [path, condition] of Object.entries(filter)) {
    if (path === '$and' && Array.isArray(condition)) {
      for (const branch of condition) if (isDocument(branch)) complete = collect(branch, byPath, further) && complete;
    } else if (path.startsWith('$')) {
      complete &&= path === '$comment';
    } else if (byPath.has(path)) {
      // An index can use only one of two conditions on a path. The matcher checks the other.
      further.push([path, constraintOf(condition)]);
      complete = false;
    } else {
      byPath.set(path, constraintOf(condition));
    }
  }
  return complete;
}

const isOperatorDocument = (condition: unknown): condition is Document =>
  isDocument(condition) && Object.keys(condition).some((name) => name.startsWith('$'));

/**
 * False for values whose equality the matcher must check. An index has the elements of an array, not the array. Null
 * also matches a missing field. A regex is a pattern.
 */
const isPlainPoint = (value: unknown): boolean => {
  const tag = tagOf(value);
  return tag !== typeTags.null && tag !== typeTags.array && tag !== typeTags.regex;
};

function constraintOf(condition: unknown): Constraint {
  if (condition instanceof RegExp) return patternConstraint(condition);
  if (isOperatorDocument(condition)) return operatorConstraint(condition);
  return pointConstraint([condition]);
}

/** A pattern that is nothing but a beginning is one range of strings. */
function patternConstraint({ source, flags }: RegExp): Constraint {
  const [, beginning] = /^\^([\p{L}\p{N}\p{M} _-]+)$/u.exec(source) ?? [];
  if (beginning === undefined || flags !== '') return { complete: false };
  const upper = { value: `${beginning}\u{10FFFF}`, inclusive: true };
  return { lower: { value: beginning, inclusive: true }, upper, ofOneElement: true, complete: false };
}

function pointConstraint(values: readonly unknown[]): Constraint {
  const tags = values.map(tagOf);
  if (tags.includes(typeTags.array) || tags.includes(typeTags.regex)) return { complete: false };
  return { points: [...values], complete: values.every(isPlainPoint) };
}

function operatorConstraint(condition: Document): Constraint {
  const constraint: Constraint = { complete: true };
  for (const [operator, operand] of Object.entries(condition)) {
    if (operator === '$eq' || (operator === '$in' && Array.isArray(operand))) {
      const points = pointConstraint(operator === '$eq' ? [operand] : (operand as unknown[]));
      if (constraint.points || !points.points) constraint.complete = false;
      else Object.assign(constraint, { points: points.points, complete: constraint.complete && points.complete });
    } else if (operator === '$gt' || operator === '$gte') {
      addBound(constraint, 'lower', { value: operand, inclusive: operator === '$gte' });
    } else if (operator === '$lt' || operator === '$lte') {
      addBound(constraint, 'upper', { value: operand, inclusive: operator === '$lte' });
    } else {
      constraint.complete = false;
    }
  }
  if (constraint.points && (constraint.lower || constraint.upper)) constraint.complete = false;
  return constraint;
}

const rangeTags: ReadonlySet<string> = new Set([
  typeTags.number,
  typeTags.string,
  typeTags.date,
  typeTags.objectId,
  typeTags.binary,
  typeTags.boolean,
  typeTags.timestamp,
]);

function addBound(constraint: Constraint, side: 'lower' | 'upper', bound: Bound): void {
  const tag = tagOf(bound.value);
  const other = side === 'lower' ? constraint.upper : constraint.lower;
  const usable = rangeTags.has(tag) && !Number.isNaN(bound.value) && (!other || tagOf(other.value) === tag);
  if (usable && !constraint[side]) constraint[side] = bound;
  else constraint.complete = false;
  // An index sorts NaN below all numbers, but `$lt` and `$lte` with a number do not match it.
  if (tag === typeTags.number && side === 'upper') constraint.complete = false;
}

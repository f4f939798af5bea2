import { keyString } from '../documents/key-string';
import { isDocument } from '../documents/document';
import type { IndexSpec } from '../storage/index-spec';
import type { Constraint, Constraints } from './constraints';
import { createMatcher } from './matcher';

/** Is every document that meets the constraints in this (perhaps sparse or partial) index? */
export function holdsForIndex(spec: IndexSpec, constraints: Constraints): boolean {
  if (spec.sparse === true) {
    return Object.keys(spec.key).some((path) => demandsPresence(constraints.byPath.get(path)));
  }
  return Object.entries(spec.partialFilterExpression ?? {}).every(([path, condition]) =>
    implies(constraints.byPath.get(path), path, condition),
  );
}

/** Constraints on ranges never hold for null. */
const demandsPresence = (constraint: Constraint | undefined): boolean =>
  constraint !== undefined &&
  (constraint.lower !== undefined ||
    constraint.upper !== undefined ||
    (constraint.points?.every((value) => value !== null && value !== undefined) ?? false));

function implies(constraint: Constraint | undefined, path: string, condition: unknown): boolean {
  if (!constraint || path.startsWith('$')) return false;
  if (isDocument(condition) && keyString(condition) === keyString({ $exists: true }))
    return demandsPresence(constraint);
  const matcher = createMatcher({ value: condition });
  return constraint.points?.every((value) => matcher.matches({ value })) ?? false;
}

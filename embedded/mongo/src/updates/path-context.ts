import type { Document } from '../documents/document';
import { isDocument } from '../documents/document';
import { toPlain } from '../documents/plain-value';
import { topField, valuesAt } from '../documents/paths';
import { CommandError } from '../errors/command-error';
import { createMatcher } from '../query/matcher';
import type { Matcher } from '../query/matcher';
import type { PathContext } from './slots';

export type ArrayFilters = ReadonlyMap<string, Matcher>;

/** Compiles `arrayFilters`, by identifier. */
export function parseArrayFilters(filters: unknown): ArrayFilters {
  const byIdentifier = new Map<string, Matcher>();
  if (filters === undefined) return byIdentifier;
  if (!Array.isArray(filters)) throw new CommandError('TypeMismatch', "BSON field 'arrayFilters' must be an array");
  for (const filter of filters) {
    const identifier = isDocument(filter) ? identifierOf(filter) : undefined;
    if (identifier === undefined)
      throw new CommandError(
        'FailedToParse',
        'Cannot use an expression without a top-level field name in arrayFilters',
      );
    if (byIdentifier.has(identifier)) {
      throw new CommandError(
        'FailedToParse',
        `Found multiple array filters with the same top-level field name ${identifier}`,
      );
    }
    byIdentifier.set(identifier, createMatcher(filter as Document));
  }
  return byIdentifier;
}

function identifierOf(filter: Document): string | undefined {
  for (const [name, condition] of Object.entries(filter)) {
    if (!name.startsWith('$')) return topField(name);
    const first: unknown = Array.isArray(condition) ? condition[0] : undefined;
    if (isDocument(first)) return identifierOf(first);
  }
  return undefined;
}

/** Resolves `$` and `$[name]` for one document, given as it was before the update. */
export function createPathContext(before: Document, filter: Document, arrayFilters: ArrayFilters): PathContext {
  return {
    positionOf(arrayPath) {
      const array: unknown = valuesAt(before, arrayPath.split('.'))[0];
      const conditions = conditionsOn(filter, arrayPath);
      const position = Array.isArray(array) ? array.findIndex((item) => meets(arrayPath, item, conditions)) : -1;
      if (position < 0 || conditions.length === 0) {
        throw new CommandError('BadValue', 'The positional operator did not find the match needed from the query.');
      }
      return position;
    },
    chooses(identifier, element) {
      const matcher = arrayFilters.get(identifier);
      if (!matcher) throw new CommandError('BadValue', `No array filter found for identifier '${identifier}'`);
      return matcher.matches({ [identifier]: toPlain(element) });
    },
  };
}

type Condition = readonly [string, unknown];

function conditionsOn(filter: Document, path: string): Condition[] {
  return Object.entries(filter).flatMap(([name, condition]): Condition[] => {
    if (name === '$and' && Array.isArray(condition))
      return condition.flatMap((one) => conditionsOn(one as Document, path));
    return name === path || name.startsWith(`${path}.`) ? [[name, condition]] : [];
  });
}

/** Would the array, were it only this element, meet the conditions? */
function meets(arrayPath: string, element: unknown, conditions: readonly Condition[]): boolean {
  const alone = arrayPath.split('.').reduceRight<unknown>((inner, part) => ({ [part]: inner }), [toPlain(element)]);
  return conditions.every(([name, condition]) => createMatcher({ [name]: condition }).matches(alone as Document));
}

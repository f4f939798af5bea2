import type { Document } from '../documents/document';
import { isDocument } from '../documents/document';
import { toPlain } from '../documents/plain-value';
import { topField } from '../documents/paths';
import { CommandError } from '../errors/command-error';
import type { FilterTree } from '../query/filter-tree';
import { matchPosition } from '../query/match-position';
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
    if (identifier === undefined) throw withoutField();
    if (byIdentifier.has(identifier)) {
      throw new CommandError(
        'FailedToParse',
        `Found multiple array filters with the same top-level field name ${identifier}`,
      );
    }
    const matcher = createMatcher(filter as Document);
    const { tree } = matcher;
    if (tree.kind === 'never' || (tree.kind === 'not' && tree.branch.kind === 'never')) throw withoutField();
    byIdentifier.set(identifier, matcher);
  }
  return byIdentifier;
}

const withoutField = (): CommandError =>
  new CommandError('FailedToParse', 'Cannot use an expression without a top-level field name in arrayFilters');

function identifierOf(filter: Document): string | undefined {
  for (const [name, condition] of Object.entries(filter)) {
    if (!name.startsWith('$')) return topField(name);
    const first: unknown = Array.isArray(condition) ? condition[0] : undefined;
    if (isDocument(first)) return identifierOf(first);
  }
  return undefined;
}

/** Resolves `$` and `$[name]` for one document, given as it was before the update. */
export function createPathContext(before: Document, filter: FilterTree, arrayFilters: ArrayFilters): PathContext {
  const chosen = new Map<string, WeakMap<object, boolean>>();
  return {
    position() {
      const position = matchPosition(filter, before);
      if (position !== undefined) return position;
      throw new CommandError('BadValue', 'The positional operator did not find the match needed from the query.');
    },
    chooses(identifier, element) {
      const matcher = arrayFilters.get(identifier);
      if (!matcher) throw new CommandError('BadValue', `No array filter found for identifier '${identifier}'`);
      const matches = () => matcher.matches({ [identifier]: toPlain(element) });
      if (typeof element !== 'object' || element === null) return matches();
      // Cached, so that an element is matched as it was before its first change.
      const known = chosen.get(identifier) ?? new WeakMap<object, boolean>();
      chosen.set(identifier, known);
      const answer = known.get(element) ?? matches();
      known.set(element, answer);
      return answer;
    },
  };
}

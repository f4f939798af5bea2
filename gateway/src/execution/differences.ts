import type { GraphQLFormattedError } from 'graphql';
import type { ExecutionResult } from './executor';
import { isData, ownMember } from './response-data';

/** The place where two results differ, without the values. */
export interface Difference {
  readonly kind: 'data' | 'errors' | 'failed';
  /** Response keys joined by dots; absent when a result failed or is incomplete. */
  readonly path?: string;
}

type Path = readonly (string | number)[];

/**
 * The first difference of two results; undefined stands for a failed execution. Errors are compared by path and code,
 * in any order.
 */
export function findDifference(
  one: ExecutionResult | undefined,
  other: ExecutionResult | undefined,
): Difference | undefined {
  if (!one || !other) return one === other ? undefined : { kind: 'failed' };
  const data = one.data === other.data ? undefined : findPath(JSON.parse(one.data), JSON.parse(other.data), []);
  if (data) return { kind: 'data', path: toText(data) };
  const error = surplusErrorIn(one.errors, other.errors) ?? surplusErrorIn(other.errors, one.errors);
  if (error) return { kind: 'errors', path: toText(error.path ?? []) };
  return one.isIncomplete === other.isIncomplete ? undefined : { kind: 'errors' };
}

/** Truncated: clients choose the length of response keys (aliases). */
const toText = (path: Path): string => path.join('.').slice(0, 500);

/** An error that occurs more often in one list than in the other. */
function surplusErrorIn(
  errors: readonly GraphQLFormattedError[],
  others: readonly GraphQLFormattedError[],
): GraphQLFormattedError | undefined {
  const left = others.map(toFault);
  return errors.find((error) => {
    const index = left.indexOf(toFault(error));
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

const toFault = ({ path, extensions }: GraphQLFormattedError): string => JSON.stringify([path, extensions?.['code']]);

/** Compares field order as well, since it is part of the answer. */
function findPath(one: unknown, other: unknown, at: Path): Path | undefined {
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return firstOf(one.keys(), (index) => findPath(one[index], other[index], [...at, index]));
  if (isData(one) && isData(other)) {
    const keys = Object.keys(one);
    if (keys.join() !== Object.keys(other).join()) return at;
    return firstOf(keys, (key) => findPath(ownMember(one, key), ownMember(other, key), [...at, key]));
  }
  return one === other ? undefined : at;
}

function firstOf<T>(items: Iterable<T>, find: (item: T) => Path | undefined): Path | undefined {
  for (const item of items) {
    const found = find(item);
    if (found) return found;
  }
  return undefined;
}

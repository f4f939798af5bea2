import type { ExecutionResult } from './executor';
import { isData, ownMember } from './response-data';

/** Where two results differ, without what stood there. */
export interface Difference {
  readonly kind: 'data' | 'errors' | 'failed';
  /** Response keys, joined by dots; of `data` alone. */
  readonly path?: string;
}

/** The first difference of two results, undefined standing for none; errors count by path and code. */
export function findDifference(
  one: ExecutionResult | undefined,
  other: ExecutionResult | undefined,
): Difference | undefined {
  if (!one || !other) return one === other ? undefined : { kind: 'failed' };
  if (one.data !== other.data) {
    const path = findPath(JSON.parse(one.data), JSON.parse(other.data), []);
    if (path) return { kind: 'data', path: path.join('.') };
  }
  return faultsOf(one) === faultsOf(other) ? undefined : { kind: 'errors' };
}

/** In no order, as services answer in any. */
const faultsOf = ({ errors, isIncomplete }: ExecutionResult): string =>
  JSON.stringify([
    isIncomplete,
    ...errors.map(({ path, extensions }) => JSON.stringify([path, extensions?.['code']])).sort(),
  ]);

type Path = readonly (string | number)[];

/** The order of the fields is a part of the answer. */
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

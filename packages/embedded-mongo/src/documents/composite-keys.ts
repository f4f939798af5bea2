import { CommandError } from '../errors/command-error';
import { isDocument } from './document';
import { childOf } from './paths';

/** The value of an empty array in a key. It sorts below null and equals no other value. */
export const emptyArray = Symbol('empty array');

type Path = readonly string[];

/**
 * The keys of a document in a compound index or sort over these paths: one tuple of values. If a path passes through an
 * array or ends in one, there is one tuple per element. Throws CannotIndexParallelArrays if the paths lead to different
 * arrays.
 */
export function compositeKeys(document: unknown, paths: readonly Path[]): unknown[][] {
  if (paths.every(({ length }) => length === 1)) {
    const values = paths.map(([name]) => childOf(document, name as string));
    if (!values.some(Array.isArray)) return [values];
  }
  return expand(
    document,
    paths,
    paths.map(() => undefined),
  );
}

/** `paths`: the unread rest of each path; `values`: the results of finished paths. */
function expand(container: unknown, paths: readonly (Path | undefined)[], values: readonly unknown[]): unknown[][] {
  const found = [...values];
  const through: { readonly position: number; readonly rest: Path }[] = [];
  let array: unknown[] | undefined;
  paths.forEach((path, position) => {
    if (!path) return;
    const { value, rest, met } = follow(container, path);
    if (met && array && met !== array) {
      throw new CommandError('CannotIndexParallelArrays', 'cannot index parallel arrays');
    }
    array ??= met;
    if (rest) through.push({ position, rest });
    else found[position] = value;
  });
  if (array === undefined || through.length === 0) return [found];
  if (array.length === 0) {
    for (const { position, rest } of through) found[position] = rest.length === 0 ? emptyArray : undefined;
    return [found];
  }
  return array.flatMap((item) => {
    const inner = [...found];
    const left: (Path | undefined)[] = paths.map(() => undefined);
    for (const { position, rest } of through) {
      if (rest.length === 0) inner[position] = item;
      else left[position] = rest;
    }
    return left.some((path) => path !== undefined) ? expand(isDocument(item) ? item : {}, left, inner) : [inner];
  });
}

interface Followed {
  readonly value: unknown;
  /** The first array on the path. */
  readonly met: unknown[] | undefined;
  /** The part of the path to follow in each element of that array; absent if `value` is the result. */
  readonly rest?: Path;
}

function follow(container: unknown, path: Path): Followed {
  let value: unknown = container;
  let met: unknown[] | undefined;
  for (const [depth, part] of path.entries()) {
    if (Array.isArray(value)) {
      met ??= value as unknown[];
      if (childOf(value, part) === undefined) return { value, met, rest: path.slice(depth) };
    }
    value = childOf(value, part);
    if (value === undefined) return { value, met };
  }
  if (Array.isArray(value) && !met) return { value, met: value as unknown[], rest: [] };
  return { value: Array.isArray(value) && value.length === 0 ? emptyArray : value, met };
}

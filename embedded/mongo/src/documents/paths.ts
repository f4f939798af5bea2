import { isDocument } from './document';

const isIndex = (part: string): boolean => /^(0|[1-9]\d*)$/.test(part);

/** The value of a field, or of a position when the container is an array. */
export function childOf(container: unknown, part: string): unknown {
  if (Array.isArray(container)) return isIndex(part) ? (container[Number(part)] as unknown) : undefined;
  return isDocument(container) && Object.hasOwn(container, part) ? container[part] : undefined;
}

/**
 * Does the test hold for a value that a filter's path leads to? `undefined` stands for a missing field. Arrays on the way are
 * gone through; one at the end is tried element by element and as a whole, unless only the whole is wanted. The test also gets
 * the position of the value in the outermost of these arrays.
 */
export function someAt(
  document: unknown,
  path: readonly string[],
  wholeOnly: boolean,
  test: (value: unknown, position: number | undefined) => boolean,
): boolean {
  return some(document, 0, undefined);

  function some(value: unknown, depth: number, outer: number | undefined): boolean {
    if (depth === path.length) {
      const elements = !wholeOnly && Array.isArray(value) ? value : [];
      return elements.some((item, i) => test(item, outer ?? i)) || test(value, outer);
    }
    const part = path[depth] as string;
    if (!Array.isArray(value)) return isDocument(value) ? enter(value, depth, outer) : test(undefined, outer);
    return value.some(
      (item: unknown, i) =>
        (isDocument(item) && enter(item, depth, outer ?? i)) ||
        (part === String(i) && atPosition(item, depth + 1, outer)),
    );
  }

  function enter(container: unknown, depth: number, outer: number | undefined): boolean {
    const value = childOf(container, path[depth] as string);
    return value === undefined ? test(undefined, outer) : some(value, depth + 1, outer);
  }

  /** An array at a named position counts as a document with numbers for names. */
  function atPosition(item: unknown, depth: number, outer: number | undefined): boolean {
    if (depth === path.length) return test(item, outer);
    return (isDocument(item) || Array.isArray(item)) && enter(item, depth, outer);
  }
}

/** Every value that a path reaches, as `distinct` sees it: missing fields give none, arrays at the end their elements. */
export function distinctAt(document: unknown, path: readonly string[]): unknown[] {
  const [part, ...rest] = path;
  if (part === undefined)
    return Array.isArray(document) ? (document as unknown[]) : document === undefined ? [] : [document];
  if (!Array.isArray(document)) return isDocument(document) ? distinctAt(childOf(document, part), rest) : [];
  if (isIndex(part)) return distinctAt(childOf(document, part), rest);
  return document.flatMap((item: unknown) => (isDocument(item) ? distinctAt(item, path) : []));
}

/** The first part of a dotted path. */
export const topField = (path: string): string => {
  const dot = path.indexOf('.');
  return dot < 0 ? path : path.slice(0, dot);
};

import { isDocument } from './document';

const isIndex = (part: string): boolean => /^(0|[1-9]\d*)$/.test(part);

/** The value of a field, or of a position if the container is an array. */
export function childOf(container: unknown, part: string): unknown {
  if (Array.isArray(container)) return isIndex(part) ? (container[Number(part)] as unknown) : undefined;
  return isDocument(container) && Object.hasOwn(container, part) ? container[part] : undefined;
}

/**
 * True if the test holds for any value at a filter's path. A missing field is tested as `undefined`. The path passes
 * through the elements of arrays. An array at its end is tested by element and as a whole, or only as a whole if
 * `wholeOnly`. The test also gets the value's position in the outermost array whose elements are tried; a position
 * named in the path does not count.
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

  /** An array at a position named in the path counts as a document whose field names are positions. */
  function atPosition(item: unknown, depth: number, outer: number | undefined): boolean {
    if (depth === path.length) return test(item, outer);
    return (isDocument(item) || Array.isArray(item)) && enter(item, depth, outer);
  }
}

/**
 * The values at a path by the rules of `distinct`: a missing field gives none, an array at the end gives its elements.
 */
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

import { isDocument } from './document';

const isIndex = (part: string): boolean => /^\d+$/.test(part);

/**
 * Every value that a dotted path reaches, going through arrays as MongoDB does; `undefined` where an embedded
 * document lacks the field. An array at the end of the path is given as it stands.
 */
export function valuesAt(document: unknown, path: readonly string[]): unknown[] {
  const values: unknown[] = [];
  collect(document, path, 0, values);
  return values;
}

function collect(value: unknown, path: readonly string[], depth: number, values: unknown[]): void {
  const part = path[depth];
  if (part === undefined) {
    values.push(value);
  } else if (Array.isArray(value)) {
    if (isIndex(part) && Number(part) < value.length) collect(value[Number(part)], path, depth + 1, values);
    for (const item of value) if (isDocument(item)) collect(item, path, depth, values);
  } else if (isDocument(value) && Object.hasOwn(value, part)) {
    collect(value[part], path, depth + 1, values);
  } else {
    values.push(undefined);
  }
}

/** The first part of a dotted path. */
export const topField = (path: string): string => {
  const dot = path.indexOf('.');
  return dot < 0 ? path : path.slice(0, dot);
};

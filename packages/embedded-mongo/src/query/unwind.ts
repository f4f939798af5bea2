import { isDocument } from '../documents/document';
import type { Document } from '../documents/document';
import { CommandError } from '../errors/command-error';
import { childOf } from '../documents/paths';
import { withFieldAt } from './projection-tree';

/** `$unwind`: one document per array element. */
export function unwound(spec: unknown, documents: readonly Document[]): Document[] {
  const { path, includeArrayIndex, preserveNullAndEmptyArrays = false } = isDocument(spec) ? spec : { path: spec };
  if (typeof path !== 'string')
    throw new CommandError('Location28808', 'expected a string as the path for $unwind stage');
  if (!path.startsWith('$') || path === '$')
    throw new CommandError('Location28818', `path option to $unwind stage should be prefixed with a '$': ${path}`);
  const parts = path.slice(1).split('.');
  const index = typeof includeArrayIndex === 'string' ? includeArrayIndex.split('.') : undefined;
  const numbered = (document: Document, position: number | null): Document =>
    index ? withFieldAt(document, index, position) : document;
  return documents.flatMap((document) => {
    const value = documentPath(document, parts);
    if (Array.isArray(value) && value.length > 0)
      return value.map((item, i) => numbered(withFieldAt(document, parts, item), i));
    const empty = value === undefined || value === null || Array.isArray(value);
    if (!empty) return [numbered(document, null)];
    if (preserveNullAndEmptyArrays !== true) return [];
    return [numbered(Array.isArray(value) ? withFieldAt(document, parts, undefined) : document, null)];
  });
}

/** The value at a path, without passing an array; undefined if the path leads through one. */
function documentPath(document: unknown, parts: readonly string[]): unknown {
  let value = document;
  for (const part of parts) value = isDocument(value) ? childOf(value, part) : undefined;
  return value;
}

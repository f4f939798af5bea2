import type { Document } from '../documents/document';
import { toCommandError } from '../errors/command-error';

/** Runs each write, and stops at the first error when `ordered`. Returns the entries of `writeErrors`. */
export function runWrites<T>(
  writes: readonly T[],
  ordered: boolean,
  write: (item: T, index: number) => void,
): Document[] {
  const errors: Document[] = [];
  for (const [index, item] of writes.entries()) {
    try {
      write(item, index);
    } catch (thrown) {
      const error = toCommandError(thrown);
      errors.push({ index, code: error.code, errmsg: error.message, ...error.facts });
      if (ordered) break;
    }
  }
  return errors;
}

export const writeErrors = (errors: readonly Document[]): Document =>
  errors.length > 0 ? { writeErrors: errors } : {};

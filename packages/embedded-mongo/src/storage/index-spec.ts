import { CommandError } from '../errors/command-error';
import { isDocument } from '../documents/document';
import type { Document } from '../documents/document';
import { keyString } from '../documents/key-string';

/** The definition of an index, as `listIndexes` returns it. */
export interface IndexSpec {
  readonly v: 2;
  readonly key: Readonly<Record<string, 1 | -1>>;
  readonly name: string;
  readonly unique?: boolean;
  readonly sparse?: boolean;
  readonly partialFilterExpression?: Document;
  readonly expireAfterSeconds?: number;
}

export const idIndexSpec: IndexSpec = { v: 2, key: { _id: 1 }, name: '_id_' };

const ignored = new Set(['v', 'ns', 'background', 'hidden']);

/** Parses one element of `createIndexes.indexes`. Refuses index types and options this server does not support. */
export function parseIndexSpec(input: unknown): IndexSpec {
  if (!isDocument(input) || !isDocument(input['key'])) {
    throw new CommandError('FailedToParse', "The 'key' field is a required property of an index specification");
  }
  const { key, name, unique, sparse, partialFilterExpression, expireAfterSeconds, ...rest } = input;
  checkRest(rest);
  const fields = parseKey(key);
  if (sparse === true && partialFilterExpression !== undefined) {
    throw new CommandError('CannotCreateIndex', 'cannot mix "partialFilterExpression" and "sparse" options');
  }
  return {
    v: 2,
    key: fields,
    name: typeof name === 'string' ? name : Object.entries(fields).flat().join('_'),
    ...(unique === true && { unique: true }),
    ...(sparse === true && { sparse: true }),
    ...(partialFilterExpression !== undefined && { partialFilterExpression: parsePartial(partialFilterExpression) }),
    ...(expireAfterSeconds !== undefined && { expireAfterSeconds: parseExpiry(expireAfterSeconds, fields) }),
  };
}

/** True if the definitions are equal except for their names. */
export const sameIndex = (a: IndexSpec, b: IndexSpec): boolean =>
  keyString({ ...a, name: '' }) === keyString({ ...b, name: '' });

export const sameKey = (a: IndexSpec, b: IndexSpec): boolean => keyString(a.key) === keyString(b.key);

function checkRest(rest: Document): void {
  for (const option of Object.keys(rest)) {
    if (ignored.has(option)) continue;
    if (option === 'collation' && isSimpleCollation(rest[option])) continue;
    throw new CommandError('CannotCreateIndex', `Index option '${option}' is not supported by this server`);
  }
}

const isSimpleCollation = (collation: unknown): boolean => isDocument(collation) && collation['locale'] === 'simple';

function parseKey(key: Document): Record<string, 1 | -1> {
  const fields: Record<string, 1 | -1> = {};
  for (const [path, direction] of Object.entries(key)) {
    if (typeof direction !== 'number' || direction === 0) {
      throw new CommandError(
        'CannotCreateIndex',
        `Index type '${String(direction)}' of '${path}' is not supported by this server`,
      );
    }
    if (path === '' || path.startsWith('$') || path.includes('$**')) {
      throw new CommandError('CannotCreateIndex', `Index key '${path}' is not supported by this server`);
    }
    fields[path] = direction > 0 ? 1 : -1;
  }
  if (Object.keys(fields).length === 0) throw new CommandError('CannotCreateIndex', 'Index keys cannot be empty.');
  return fields;
}

function parsePartial(expression: unknown): Document {
  if (!isDocument(expression)) throw new CommandError('TypeMismatch', "'partialFilterExpression' must be an object");
  return expression;
}

function parseExpiry(seconds: unknown, key: Record<string, 1 | -1>): number {
  if (typeof seconds !== 'number' || !(seconds >= 0)) {
    throw new CommandError('CannotCreateIndex', 'TTL index expireAfterSeconds option must be a number of at least 0');
  }
  if (Object.keys(key).length !== 1 || '_id' in key) {
    throw new CommandError(
      'CannotCreateIndex',
      'TTL indexes are single-field indexes, compound indexes and _id do not support TTL',
    );
  }
  return seconds;
}

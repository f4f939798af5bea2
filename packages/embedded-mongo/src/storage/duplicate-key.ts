import { CommandError } from '../errors/command-error';
import type { Document } from '../documents/document';
import { keyString } from '../documents/key-string';
import { distinctAt } from '../documents/paths';
import type { CollectionIndex } from './collection-index';

/** MongoDB's E11000 with `keyPattern` and `keyValue`, which drivers and mongoose pass on. */
export function duplicateKey(namespace: string, index: CollectionIndex, key: string, document: Document): CommandError {
  const keyValue: Document = {};
  for (const { path } of index.fields) {
    const values = distinctAt(document, path.split('.'));
    keyValue[path] = values.find((value) => key.includes(keyString(value))) ?? values[0] ?? null;
  }
  const shown = Object.entries(keyValue).map(([path, value]) => `${path}: ${show(value)}`);
  return new CommandError(
    'DuplicateKey',
    `E11000 duplicate key error collection: ${namespace} index: ${index.spec.name} dup key: { ${shown.join(', ')} }`,
    { keyPattern: index.spec.key, keyValue },
  );
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  const { _bsontype: bsonType } = Object(value) as { _bsontype?: string };
  if (bsonType === 'ObjectId') return `ObjectId('${String(value)}')`;
  return bsonType === undefined ? JSON.stringify(value) : String(value);
}

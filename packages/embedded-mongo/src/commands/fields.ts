import type { Document } from '../documents/document';
import { isDocument } from '../documents/document';
import { CommandError } from '../errors/command-error';

/** An optional document field of a command. Throws TypeMismatch. */
export function documentField(body: Document, name: string): Document | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (isDocument(value)) return value;
  throw new CommandError('TypeMismatch', `BSON field '${name}' is the wrong type, expected type 'object'`);
}

/** An optional whole number of at least 0. Throws TypeMismatch or BadValue. */
export function countField(body: Document, name: string): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number') throw new CommandError('TypeMismatch', `BSON field '${name}' must be a number`);
  if (!Number.isInteger(value) || value < 0) {
    throw new CommandError('BadValue', `BSON field '${name}' value must be >= 0, actual value '${value}'`);
  }
  return value;
}

/** Refuses collations other than `simple`, the binary one, because this server has no other order. */
export function checkCollation(body: Document): void {
  const collation = documentField(body, 'collation');
  if (collation && collation['locale'] !== 'simple') {
    throw new CommandError('BadValue', "Option 'collation' is not supported by this server");
  }
}

import { CommandError } from '../errors/command-error';
import { scanElements } from './raw-elements';

/** MongoDB's limits: https://www.mongodb.com/docs/manual/reference/limits/ */
export const maxDocumentBytes = 16 * 1024 * 1024;
export const maxNestingDepth = 100;

/** Throws InvalidBSON on malformed BSON, and Overflow on a document nested deeper than MongoDB allows. */
export function checkWellFormed(raw: Buffer, depth = 1): void {
  if (raw.length < 5 || raw.readInt32LE(0) !== raw.length || raw[raw.length - 1] !== 0) {
    throw new CommandError('InvalidBSON', 'The BSON document has a wrong length or no terminating null byte');
  }
  if (depth > maxNestingDepth) {
    throw new CommandError('Overflow', `BSONObj exceeds maximum nested object depth: ${maxNestingDepth}`);
  }
  scanElements(raw, (_name, { type, valueStart, end }) => {
    if (type === 0x03 || type === 0x04) checkWellFormed(raw.subarray(valueStart, end), depth + 1);
    if (type === 0x02 && raw[end - 1] !== 0)
      throw new CommandError('InvalidBSON', 'A BSON string has no terminating null byte');
  });
}

/** Throws BSONObjectTooLarge on a document larger than 16 MiB. */
export function checkSize(raw: Buffer): void {
  if (raw.length <= maxDocumentBytes) return;
  throw new CommandError(
    'BSONObjectTooLarge',
    `BSONObj size: ${raw.length} is invalid. Size must be between 0 and ${maxDocumentBytes} (16MB)`,
  );
}

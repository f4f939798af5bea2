import type { RawDocument } from '../documents/document';
import { scanElements } from '../documents/raw-elements';

/** Maps field names (as bytes) to the whole field or to parts of it. */
export type FieldTree = Map<string, FieldTree | 'whole'>;

const documentType = 0x03;
const arrayType = 0x04;

/** Includes only the fields of the tree, or excludes them. */
export const rawProjection =
  (tree: FieldTree, inclusive: boolean) =>
  (document: RawDocument): RawDocument =>
    projectDocument(document, tree, inclusive);

function projectDocument(raw: Buffer, tree: FieldTree, inclusive: boolean): Buffer {
  const parts: Buffer[] = [];
  scanElements(raw, (name, { type, start, valueStart, end }) => {
    const branch = tree.get(name);
    if (branch === undefined || branch === 'whole') {
      if ((branch === undefined) !== inclusive) parts.push(raw.subarray(start, end));
    } else if (type === documentType || type === arrayType) {
      const project = type === documentType ? projectDocument : projectArray;
      parts.push(raw.subarray(start, valueStart), project(raw.subarray(valueStart, end), branch, inclusive));
    } else if (!inclusive) {
      parts.push(raw.subarray(start, end));
    }
  });
  return closed(parts);
}

/** Projects each document in an array. Its scalars match no dotted path: inclusion drops them, exclusion keeps them. */
function projectArray(raw: Buffer, tree: FieldTree, inclusive: boolean): Buffer {
  const parts: Buffer[] = [];
  let position = 0;
  scanElements(raw, (_name, { type, valueStart, end }) => {
    const nested = type === documentType || type === arrayType;
    if (!nested && inclusive) return;
    const project = type === documentType ? projectDocument : projectArray;
    const value = raw.subarray(valueStart, end);
    parts.push(
      Buffer.from(`${String.fromCharCode(type)}${position}\0`, 'latin1'),
      nested ? project(value, tree, inclusive) : value,
    );
    position += 1;
  });
  return closed(parts);
}

function closed(parts: readonly Buffer[]): Buffer {
  const size = parts.reduce((sum, part) => sum + part.length, 5);
  const header = Buffer.allocUnsafe(4);
  header.writeInt32LE(size, 0);
  return Buffer.concat([header, ...parts, Buffer.alloc(1)], size);
}

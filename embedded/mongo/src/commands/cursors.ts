import { randomInt } from 'node:crypto';
import type { RawDocument } from '../documents/document';
import { CommandError } from '../errors/command-error';
import { arrayOf, withElement } from '../wire/reply';
import { Long } from 'bson';

/** Open cursors of all clients. */
export interface Cursors {
  /** The response with the first batch. The cursor stays open if documents are left, unless `singleBatch`. */
  open(namespace: string, documents: Iterator<RawDocument>, options: CursorOptions): Buffer[];
  next(id: number, namespace: string, batchSize: number | undefined): Buffer[];
  /** Closes cursors, and returns which of the ids were open. */
  kill(ids: readonly number[]): { killed: number[]; unknown: number[] };
  /** Closes cursors that were idle for ten minutes. */
  expire(): void;
}

export interface CursorOptions {
  readonly batchSize: number | undefined;
  readonly singleBatch?: boolean;
}

interface Cursor {
  readonly namespace: string;
  readonly documents: Iterator<RawDocument>;
  /** A document that was read but did not fit into the last batch. */
  pending: RawDocument | undefined;
  lastUsed: number;
}

const defaultFirstBatch = 101;
const maxBatchBytes = 16 * 1024 * 1024;
const idleMilliseconds = 10 * 60 * 1000;

export function createCursors(now: () => Date): Cursors {
  const cursors = new Map<number, Cursor>();

  function newId(): number {
    const id = randomInt(1, 2 ** 48 - 1);
    return cursors.has(id) ? newId() : id;
  }

  function open(namespace: string, documents: Iterator<RawDocument>, options: CursorOptions): Buffer[] {
    const cursor: Cursor = { namespace, documents, pending: undefined, lastUsed: now().getTime() };
    const batch = takeBatch(cursor, options.batchSize ?? defaultFirstBatch);
    const id = batch.exhausted || options.singleBatch === true ? 0 : newId();
    if (id !== 0) cursors.set(id, cursor);
    return cursorReply(namespace, id, 'firstBatch', batch.documents);
  }

  function next(id: number, namespace: string, batchSize: number | undefined): Buffer[] {
    const cursor = cursors.get(id);
    if (!cursor || cursor.namespace !== namespace)
      throw new CommandError('CursorNotFound', `cursor id ${id} not found`);
    cursor.lastUsed = now().getTime();
    const batch = takeBatch(cursor, batchSize === undefined || batchSize === 0 ? Infinity : batchSize);
    if (batch.exhausted) cursors.delete(id);
    return cursorReply(namespace, batch.exhausted ? 0 : id, 'nextBatch', batch.documents);
  }

  return {
    open,
    next,
    kill(ids) {
      const killed = ids.filter((id) => cursors.delete(id));
      return { killed, unknown: ids.filter((id) => !killed.includes(id)) };
    },
    expire() {
      const oldest = now().getTime() - idleMilliseconds;
      for (const [id, { lastUsed }] of cursors) if (lastUsed < oldest) cursors.delete(id);
    },
  };
}

/** Takes up to `size` documents and 16 MB, but never stops at 16 MB without one. Reads ahead to see if any are left. */
function takeBatch(cursor: Cursor, size: number): { documents: RawDocument[]; exhausted: boolean } {
  const documents: RawDocument[] = [];
  let bytes = 0;
  for (;;) {
    if (documents.length >= size && size === 0) return { documents, exhausted: false };
    const document = cursor.pending ?? take(cursor.documents);
    if (!document) return { documents, exhausted: true };
    cursor.pending = document;
    if (documents.length >= size || (documents.length > 0 && bytes + document.length > maxBatchBytes)) {
      return { documents, exhausted: false };
    }
    cursor.pending = undefined;
    documents.push(document);
    bytes += document.length;
  }
}

function take(documents: Iterator<RawDocument>): RawDocument | undefined {
  const { value, done } = documents.next() as IteratorResult<RawDocument, undefined>;
  return done === true ? undefined : value;
}

export function cursorReply(
  namespace: string,
  id: number,
  batch: 'firstBatch' | 'nextBatch',
  documents: readonly RawDocument[],
): Buffer[] {
  const cursor = withElement({ id: Long.fromNumber(id), ns: namespace }, 0x04, batch, arrayOf(documents));
  return withElement({ ok: 1 }, 0x03, 'cursor', cursor);
}

import { randomInt } from 'node:crypto';
import type { RawDocument } from '../documents/document';
import { CommandError } from '../errors/command-error';
import { nextTurn, pause } from '../query/pauses';
import type { Pause } from '../query/pauses';
import { arrayOf, withElement } from '../wire/reply';
import { Long } from 'bson';

/** Open cursors of all clients. */
export interface Cursors {
  /** The response with the first batch. The cursor stays open if documents are left, unless `singleBatch`. */
  open(namespace: string, documents: Iterator<RawDocument | Pause>, options: CursorOptions): Promise<Buffer[]>;
  next(id: number, namespace: string, batchSize: number | undefined): Promise<Buffer[]>;
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
  readonly documents: Iterator<RawDocument | Pause>;
  /** A document that was read but did not fit into the last batch. */
  pending: RawDocument | undefined;
  lastUsed: number;
  /** True while a batch is read, which may take many slices. */
  isInUse: boolean;
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

  async function open(
    namespace: string,
    documents: Iterator<RawDocument | Pause>,
    options: CursorOptions,
  ): Promise<Buffer[]> {
    const cursor: Cursor = { namespace, documents, pending: undefined, lastUsed: now().getTime(), isInUse: false };
    const batch = await takeBatch(cursor, options.batchSize ?? defaultFirstBatch);
    const id = batch.exhausted || options.singleBatch === true ? 0 : newId();
    if (id !== 0) cursors.set(id, cursor);
    return cursorReply(namespace, id, 'firstBatch', batch.documents);
  }

  async function next(id: number, namespace: string, batchSize: number | undefined): Promise<Buffer[]> {
    const cursor = cursors.get(id);
    if (!cursor || cursor.namespace !== namespace)
      throw new CommandError('CursorNotFound', `cursor id ${id} not found`);
    cursor.lastUsed = now().getTime();
    if (cursor.isInUse) throw new CommandError('CursorInUse', `cursor id ${id} is already in use`);
    cursor.isInUse = true;
    const size = batchSize === undefined || batchSize === 0 ? Infinity : batchSize;
    const batch = await takeBatch(cursor, size).catch((error: unknown) => {
      cursors.delete(id);
      throw error;
    });
    cursor.isInUse = false;
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
async function takeBatch(cursor: Cursor, size: number): Promise<{ documents: RawDocument[]; exhausted: boolean }> {
  const documents: RawDocument[] = [];
  let bytes = 0;
  for (;;) {
    if (documents.length >= size && size === 0) return { documents, exhausted: false };
    const next = cursor.pending ?? valueOf(cursor.documents);
    const document = next === pause ? await takeLater(cursor.documents) : next;
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

/** The next document; undefined at the end. Others get a turn at each pause. */
async function takeLater(documents: Iterator<RawDocument | Pause>): Promise<RawDocument | undefined> {
  for (;;) {
    await nextTurn();
    const value = valueOf(documents);
    if (value !== pause) return value;
  }
}

function valueOf(documents: Iterator<RawDocument | Pause>): RawDocument | Pause | undefined {
  const { value, done } = documents.next() as IteratorResult<RawDocument | Pause, undefined>;
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

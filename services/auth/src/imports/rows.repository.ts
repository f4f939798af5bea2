import { createBatcher } from '@itsm/shared/stores/mongo/batcher';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { isDuplicateKey } from '@itsm/shared/stores/mongo/duplicate-key';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';
import type { RowResults } from '@itsm/shared/declared/file-rows';
import type { Connection } from 'mongoose';
import { mostAtOnce } from './people-at-once';

/** What a row is about to write: the number of its person, and the version that they have before; 0 for a new one. */
export interface Reservation {
  readonly id: number;
  readonly version: number;
}

/** Rows that came in one message, by their import and the last line of them. */
export interface Batch {
  readonly importId: string;
  readonly line: number;
}

interface BatchDocument {
  readonly _id: string;
  /** By line. */
  readonly rows: Readonly<Record<string, Reservation>>;
  /** Once all rows were written. */
  readonly outcome?: RowResults;
  readonly expiresAt: Date;
}

/** The reservations of the rows of one message; calls at the same time share commands. */
export interface Reservations {
  /** The reservation of a row, if there is one. */
  of(line: number): Promise<Reservation | undefined>;
  /** Keeps the reservation of a row before it is written; returns the first that was ever kept. */
  reserve(line: number, given: Reservation): Promise<Reservation>;
}

/** What is known of rows of people, so that a message that comes again makes nobody twice and is answered the same. */
export interface RowsRepository {
  ensureIndexes(): Promise<void>;
  /** What became of the rows, if all of them were written; otherwise they are written from now on. */
  begin(batch: Batch, now: Date): Promise<RowResults | undefined>;
  reservations(batch: Batch): Reservations;
  /** Keeps what became of the rows; returns the first that was ever kept. */
  finish(batch: Batch, outcome: RowResults): Promise<RowResults>;
}

/** As long as imports are kept. */
const keptMilliseconds = 30 * 24 * 60 * 60 * 1000;

export function createRowsRepository(connection: Connection): RowsRepository {
  const batches = connection.collection<BatchDocument>('person_imports');
  const safely = { writeConcern: durable };
  const idOf = ({ importId, line }: Batch): string => `${importId} ${line}`;
  const rowOf = (line: number) => `rows.${line}` as const;

  const readRows = async (batch: Batch): Promise<BatchDocument['rows'] | undefined> =>
    (await batches.findOne({ _id: idOf(batch) }, { projection: { rows: 1 } }))?.rows;

  /** Keeps those of rows that have none yet, in one write; again when another process has kept one meanwhile. */
  async function reserveAll(batch: Batch, given: readonly (readonly [number, Reservation])[]) {
    let kept: BatchDocument['rows'] | undefined = {};
    while (kept) {
      const before: BatchDocument['rows'] = kept;
      const missing = given.filter(([line]) => !before[line]);
      const free = Object.fromEntries(missing.map(([line]) => [rowOf(line), { $exists: false }]));
      const change = { $set: Object.fromEntries(missing.map(([line, row]) => [rowOf(line), row])) };
      const isKept =
        missing.length === 0 ||
        (await batches.updateOne({ _id: idOf(batch), ...free }, change, safely)).matchedCount === 1;
      if (isKept) return given.map(([line, row]) => before[line] ?? row);
      kept = await readRows(batch);
    }
    return given.map(([, row]) => row);
  }

  return {
    async ensureIndexes() {
      await ensureIndex(batches, { expiresAt: 1 }, { expireAfterSeconds: 0 });
    },
    async begin(batch, now) {
      const found = await batches.findOne({ _id: idOf(batch) }, { projection: { outcome: 1 } });
      if (found) return found.outcome;
      try {
        const expiresAt = new Date(now.getTime() + keptMilliseconds);
        await batches.insertOne({ _id: idOf(batch), rows: {}, expiresAt }, safely);
      } catch (error) {
        // Another process has the same message.
        if (!isDuplicateKey(error)) throw error;
      }
      return undefined;
    },
    reservations(batch) {
      const options = { most: mostAtOnce };
      const read = createBatcher<number, Reservation | undefined>(async (lines) => {
        const rows = await readRows(batch);
        return lines.map((line) => rows?.[line]);
      }, options);
      const reserve = createBatcher<readonly [number, Reservation], Reservation>(
        (given) => reserveAll(batch, given),
        options,
      );
      return { of: read, reserve: (line, given) => reserve([line, given]) };
    },
    async finish(batch, outcome) {
      const open = { _id: idOf(batch), outcome: { $exists: false } };
      const { matchedCount } = await batches.updateOne(open, { $set: { outcome } }, safely);
      if (matchedCount === 1) return outcome;
      const found = await batches.findOne({ _id: idOf(batch) }, { projection: { outcome: 1 } });
      return found?.outcome ?? outcome;
    },
  };
}

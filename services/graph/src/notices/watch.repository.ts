import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';
import type { Connection } from 'mongoose';
import type { WatchLevel } from './concerned';

/** A record of an account. */
export interface RecordOf {
  readonly accountId: string;
  readonly recordType: string;
  readonly recordId: number;
}

interface WatchDocument extends RecordOf {
  readonly _id: string;
  readonly personId: number;
  readonly level: WatchLevel;
}

/** Which notices of records people want; who never chose has none. */
export interface WatchRepository {
  ensureIndexes(): Promise<void>;
  /** By person. */
  levelsOf(record: RecordOf): Promise<ReadonlyMap<number, WatchLevel>>;
  /** By record, of one person. */
  find(
    of: Omit<RecordOf, 'recordId'> & { readonly personId: number },
    recordIds: readonly number[],
  ): Promise<ReadonlyMap<number, WatchLevel>>;
  choose(record: RecordOf, personId: number, level: WatchLevel): Promise<void>;
  /** For somebody who wrote a note; who chose before is left alone. */
  begin(record: RecordOf, personId: number): Promise<void>;
  /** The records are deleted. */
  removeOf(accountId: string, recordType: string, recordIds: readonly number[]): Promise<void>;
}

const safely = { writeConcern: durable };
const watchOf = ({ accountId, recordType, recordId }: RecordOf, personId: number) => ({
  accountId,
  _id: `${accountId}/${recordType}/${recordId}/${personId}`,
});

export function createWatchRepository(connection: Connection): WatchRepository {
  const watches = connection.collection<WatchDocument>('watches');
  return {
    ensureIndexes: () => ensureIndex(watches, { accountId: 1, recordType: 1, recordId: 1 }, { name: 'record' }),
    async levelsOf({ accountId, recordType, recordId }) {
      const found = await watches.find({ accountId, recordType, recordId }).toArray();
      return new Map(found.map(({ personId, level }) => [personId, level]));
    },
    async find({ accountId, recordType, personId }, recordIds) {
      const ids = recordIds.map((recordId) => watchOf({ accountId, recordType, recordId }, personId)._id);
      const found = await readForCaller(connection, 'light', (options) =>
        watches.find({ accountId, _id: { $in: ids } }, options()).toArray(),
      );
      return new Map(found.map(({ recordId, level }) => [recordId, level]));
    },
    async choose(record, personId, level) {
      const { recordType, recordId } = record;
      const chosen = { $set: { recordType, recordId, personId, level } };
      await watches.updateOne(watchOf(record, personId), chosen, { upsert: true, ...safely });
    },
    async begin(record, personId) {
      const { recordType, recordId } = record;
      const begun = { $setOnInsert: { recordType, recordId, personId, level: 'all' as const } };
      await unlessTaken(watches.updateOne(watchOf(record, personId), begun, { upsert: true, ...safely }));
    },
    async removeOf(accountId, recordType, recordIds) {
      await watches.deleteMany({ accountId, recordType, recordId: { $in: [...recordIds] } }, safely);
    },
  };
}

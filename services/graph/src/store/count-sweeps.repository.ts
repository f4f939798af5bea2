import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';
import { leasing } from '@itsm/shared/stores/presence/presence';
import type { Leasable } from '@itsm/shared/stores/presence/presence';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import { countsCollection, countsIdOf } from './record-counts.repository';

/** The counts of one type in one account, which are checked. */
export interface Sweep {
  readonly type: string;
  readonly accountId: string;
}

/** Which counts are due to be checked, and by which process. */
export interface SweepRepository extends Leasable<Sweep> {
  ensureIndexes(): Promise<void>;
  /** Ends the lease, unless the counts were begun again meanwhile; the check goes on, or begins again, then. */
  release(sweep: Sweep, dueAt: Date): Promise<void>;
}

interface SweepDocument extends Sweep {
  readonly _id: string;
  readonly dueAt: Date;
  readonly owner?: string;
}

const schema = new Schema<SweepDocument>(
  { _id: String, type: String, accountId: String, dueAt: Date, owner: String },
  { collection: countsCollection, versionKey: false, writeConcern: durable },
);

export function createSweepRepository(connection: Connection): SweepRepository {
  const sweeps = connection.model<SweepDocument>('RecordCounts', schema);
  return {
    async ensureIndexes() {
      await ensureIndex(sweeps.collection, { dueAt: 1 });
      // For the leases of processes that have ended.
      await ensureIndex(sweeps.collection, { owner: 1, dueAt: 1 });
    },
    ...leasing(sweeps, ({ type, accountId }): Sweep => ({ type, accountId })),
    async release({ type, accountId }, dueAt) {
      const leased = { _id: countsIdOf(type, accountId), owner: { $exists: true } };
      await sweeps.updateOne(leased, { $set: { dueAt }, $unset: { owner: '' } });
    },
  };
}

import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';

/** The cursor of a run: everything up to these ids has been published. Accounts come before people. */
export interface BackfillProgress {
  readonly afterAccount: string;
  readonly accountsDone: boolean;
  readonly afterPerson: number;
}

export interface BackfillRepository {
  find(): Promise<BackfillProgress | undefined>;
  save(progress: BackfillProgress): Promise<void>;
  delete(): Promise<void>;
}

const schema = new Schema<BackfillProgress & { _id: string }>(
  { _id: String, afterAccount: String, accountsDone: Boolean, afterPerson: Number },
  { collection: 'backfills', versionKey: false, writeConcern: durable },
);

export function createBackfillRepository(connection: Connection): BackfillRepository {
  const runs = connection.model<BackfillProgress & { _id: string }>('Backfill', schema);
  const key = { _id: 'directory' };
  return {
    async find() {
      const found = await runs.findOne(key).lean();
      if (!found) return undefined;
      const { afterAccount, accountsDone, afterPerson } = found;
      return { afterAccount, accountsDone, afterPerson };
    },
    async save(progress) {
      await runs.updateOne(key, { $set: progress }, { upsert: true });
    },
    async delete() {
      await runs.deleteOne(key);
    },
  };
}

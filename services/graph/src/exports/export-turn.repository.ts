import { mongo } from 'mongoose';
import type { Connection } from 'mongoose';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';

interface TurnDocument {
  /** The account. */
  readonly _id: string;
  /** The download that has the turn. */
  readonly holder: string;
  readonly until: Date;
}

/** The download of an export that an account has at a time, whichever process makes it. */
export interface ExportTurnRepository {
  /** Takes the turn until then; false while another download has it. */
  take(accountId: string, holder: string, now: Date, until: Date): Promise<boolean>;
  /** Keeps the turn until then; false when another download has taken it. */
  keep(accountId: string, holder: string, until: Date): Promise<boolean>;
  end(accountId: string, holder: string): Promise<void>;
}

const safely = { writeConcern: durable };
const isThereAlready = (error: unknown): boolean => error instanceof mongo.MongoServerError && error.code === 11000;

export function createExportTurnRepository(connection: Connection): ExportTurnRepository {
  const turns = connection.collection<TurnDocument>('export_turns');
  return {
    async take(_id, holder, now, until) {
      try {
        await turns.updateOne({ _id, until: { $lte: now } }, { $set: { holder, until } }, { upsert: true, ...safely });
        return true;
      } catch (error) {
        if (isThereAlready(error)) return false;
        throw error;
      }
    },
    async keep(_id, holder, until) {
      const { matchedCount } = await turns.updateOne({ _id, holder }, { $set: { until } }, safely);
      return matchedCount === 1;
    },
    async end(_id, holder) {
      await turns.updateOne({ _id, holder }, { $set: { until: new Date(0) } }, safely);
    },
  };
}

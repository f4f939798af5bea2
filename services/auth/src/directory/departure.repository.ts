import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import { isDuplicateKey } from '@itsm/shared/stores/mongo/duplicate-key';

/** An entry in the queue of administrators who are leaving an account. */
export interface Departure {
  readonly id: string;
  readonly personId: number;
  readonly at: Date;
}

interface DepartureDocument {
  /** The account. */
  readonly _id: string;
  readonly departures: readonly Departure[];
}

export interface DepartureRepository {
  /** Appends `departure` to the account's queue; returns the queue up to and including it. */
  announce(accountId: string, departure: Departure): Promise<readonly Departure[]>;
  /** Removes the entries from the queue, whether the people have left or not. */
  remove(accountId: string, ids: readonly string[]): Promise<void>;
}

const schema = new Schema<DepartureDocument>(
  { _id: String, departures: [{ _id: false, id: String, personId: Number, at: Date }] },
  { collection: 'administrator_departures', versionKey: false, writeConcern: durable },
);

export function createDepartureRepository(connection: Connection): DepartureRepository {
  const queues = connection.model<DepartureDocument>('AdministratorDepartures', schema);
  const push = (accountId: string, departure: Departure) =>
    queues
      .findOneAndUpdate(
        { _id: accountId },
        { $push: { departures: departure } },
        { upsert: true, returnDocument: 'after' },
      )
      .lean();
  return {
    async announce(accountId, departure) {
      const queue = await push(accountId, departure).catch((error: unknown) => {
        // A concurrent call created the document first, so retry.
        if (isDuplicateKey(error)) return push(accountId, departure);
        throw error;
      });
      const all = queue?.departures ?? [];
      return all.slice(0, all.findIndex(({ id }) => id === departure.id) + 1);
    },
    async remove(accountId, ids) {
      await queues.updateOne({ _id: accountId }, { $pull: { departures: { id: { $in: [...ids] } } } });
    },
  };
}

import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { ensureIndexes } from '@itsm/shared/stores/mongo/ensure-index';
import type { Connection } from 'mongoose';
import type { RecordOf } from './watch.repository';

/** Somebody who has a record on their screen. */
export interface Visit {
  readonly personId: number;
  /** Whether they are writing a note. */
  readonly writing: boolean;
}

interface VisitDocument extends RecordOf, Visit {
  readonly _id: string;
  readonly at: Date;
}

/** Who looks at which record; a visit that is not said again is over. */
export interface VisitRepository {
  ensureIndexes(): Promise<void>;
  visit(record: RecordOf, visit: Visit, at: Date): Promise<void>;
  /** The visits of others since then, the latest first; bounded. */
  others(record: RecordOf, personId: number, since: Date): Promise<readonly Visit[]>;
}

/** Only what was said lately counts; the store deletes the rest (TTL index). */
const keptSeconds = 300;
const mostOthers = 10;

export function createVisitRepository(connection: Connection): VisitRepository {
  const visits = connection.collection<VisitDocument>('visits');
  return {
    ensureIndexes: () =>
      ensureIndexes(visits, [
        { key: { accountId: 1, recordType: 1, recordId: 1, at: 1 }, name: 'record' },
        { key: { at: 1 }, name: 'expiry', expireAfterSeconds: keptSeconds },
      ]),
    async visit({ accountId, recordType, recordId }, { personId, writing }, at) {
      const key = { accountId, _id: `${accountId}/${recordType}/${recordId}/${personId}` };
      const said = { $set: { recordType, recordId, personId, writing, at } };
      await visits.updateOne(key, said, { upsert: true, writeConcern: durable });
    },
    async others({ accountId, recordType, recordId }, personId, since) {
      const found = await readForCaller(connection, 'light', (options) =>
        visits
          .find({ accountId, recordType, recordId, at: { $gte: since }, personId: { $ne: personId } }, options())
          .sort({ at: -1 })
          .limit(mostOthers)
          .toArray(),
      );
      return found.map(({ personId: id, writing }) => ({ personId: id, writing }));
    },
  };
}

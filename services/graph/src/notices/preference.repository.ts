import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import type { Connection } from 'mongoose';
import type { Reader } from './notice.repository';
import type { Preferences } from './preferences';

interface PreferenceDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly personId: number;
  readonly chosen: Partial<Preferences>;
}

/** How people want to be notified in an account, as far as they have chosen. */
export interface PreferenceRepository {
  find(reader: Reader): Promise<Partial<Preferences>>;
  choose(reader: Reader, chosen: Partial<Preferences>): Promise<void>;
}

const keyOf = ({ accountId, personId }: Reader) => ({ accountId, _id: `${accountId}/${personId}` });

export function createPreferenceRepository(connection: Connection): PreferenceRepository {
  const preferences = connection.collection<PreferenceDocument>('notice_preferences');
  return {
    find: async (reader) => (await preferences.findOne(keyOf(reader)))?.chosen ?? {},
    async choose(reader, chosen) {
      const set = Object.fromEntries(Object.entries(chosen).map(([kind, ways]) => [`chosen.${kind}`, ways]));
      const update = { $set: { personId: reader.personId, ...set } };
      await preferences.updateOne(keyOf(reader), update, { upsert: true, writeConcern: durable });
    },
  };
}

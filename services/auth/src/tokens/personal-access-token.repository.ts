import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import { unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import type { PersonalAccessToken } from './personal-access-token';

type TokenDocument = Omit<PersonalAccessToken, 'id'> & { readonly _id: number };

export interface PersonalAccessTokenRepository {
  /** By digest only: a request has nothing but the secret. */
  findByDigest(digest: string): Promise<PersonalAccessToken | undefined>;
  list(accountId: string, personId: number): Promise<PersonalAccessToken[]>;
  count(accountId: string, personId: number): Promise<number>;
  /** False when the person has a token of this name already. */
  insert(token: PersonalAccessToken): Promise<boolean>;
  delete(accountId: string, personId: number, id: number): Promise<boolean>;
  deleteByName(accountId: string, personId: number, name: string): Promise<boolean>;
  touch(accountId: string, id: number, now: Date): Promise<void>;
}

/** Writes without majority write concern, each with the reason why losing one is harmless. */
export const forgettable = { touch: 'the next use notes its time again' };

const schema = new Schema<TokenDocument>(
  {
    _id: Number,
    accountId: { type: String, required: true },
    personId: { type: Number, required: true },
    name: { type: String, required: true },
    digest: { type: String, required: true },
    scopes: { type: [Schema.Types.Mixed], required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    lastUsedAt: { type: Date, default: null },
  },
  { collection: 'personal_access_tokens', versionKey: false, writeConcern: durable },
);
schema.index({ digest: 1 }, { unique: true });
schema.index({ personId: 1, name: 1 }, { unique: true });

export function createPersonalAccessTokenRepository(connection: Connection): PersonalAccessTokenRepository {
  const tokens = connection.model<TokenDocument>('PersonalAccessToken', schema);
  const remove = async (filter: object) => (await tokens.deleteOne(filter)).deletedCount > 0;
  return {
    async findByDigest(digest) {
      const found = await tokens.findOne({ digest }).lean();
      return found ? toPersonalAccessToken(found) : undefined;
    },
    async list(accountId, personId) {
      const found = await tokens.find({ accountId, personId }).sort({ _id: -1 }).lean();
      return found.map(toPersonalAccessToken);
    },
    count: (accountId, personId) => tokens.countDocuments({ accountId, personId }),
    insert: ({ id, ...fields }) => unlessTaken(tokens.create({ _id: id, ...fields })),
    delete: (accountId, personId, id) => remove({ _id: id, accountId, personId }),
    deleteByName: (accountId, personId, name) => remove({ accountId, personId, name }),
    async touch(accountId, id, now) {
      await tokens.updateOne({ _id: id, accountId }, { $set: { lastUsedAt: now } }, { writeConcern: { w: 1 } });
    },
  };
}

export const toPersonalAccessToken = ({ _id, ...fields }: TokenDocument): PersonalAccessToken => ({
  id: _id,
  ...fields,
});

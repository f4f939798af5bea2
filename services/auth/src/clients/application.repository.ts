import type { Slice } from '@itsm/shared/api/graphql/connections';
import { createArraySource } from '@itsm/shared/api/rest/array-source';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { createMongoSource } from '@itsm/shared/api/rest/mongo-source';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { Schema } from 'mongoose';
import type { Connection, QueryFilter } from 'mongoose';
import { isDuplicateKey, unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import { hasWords } from '../directory/listing';
import type { Application, ApplicationToken } from './application';
import { hasClient } from './installed-application';

type ApplicationDocument = Omit<Application, 'id'> & { readonly _id: number };
type Changes = Partial<Omit<Application, 'id' | 'accountId' | 'scopesVersion'>>;

export interface ApplicationRepository {
  find(accountId: string, id: number): Promise<Application | undefined>;
  findMany(accountId: string, ids: readonly number[]): Promise<Application[]>;
  findByName(accountId: string, name: string): Promise<Application | undefined>;
  /** By client id only, because the account is not known before. */
  findByClientId(clientId: string): Promise<Application | undefined>;
  list(accountId: string, slice: Slice): Promise<Application[]>;
  count(accountId: string): Promise<number>;
  /** The account's applications whose name and description contain all `words`. */
  source(accountId: string, words: readonly string[]): Promise<CollectionSource<Application>>;
  /** False when the account has an application of this name already. */
  insert(application: Application): Promise<boolean>;
  /**
   * One atomic write. A change of scopes raises `scopesVersion`, which voids earlier grants. `seen` is a
   * compare-and-set condition: without a match the result is undefined, as for an unknown application.
   */
  change(
    accountId: string,
    id: number,
    changes: Changes,
    seen?: Partial<Pick<Application, 'disabledAt'>>,
  ): Promise<'changed' | 'missing' | 'taken'>;
  /** Deletes the application and returns it; undefined when unknown. */
  delete(accountId: string, id: number): Promise<Application | undefined>;
  /** False when the application has `most` tokens already, or is gone. */
  addToken(accountId: string, id: number, token: ApplicationToken, most: number): Promise<boolean>;
  /** Returns the changed application; undefined when it has no such token. */
  changeToken(
    accountId: string,
    id: number,
    clientId: string,
    changes: Pick<ApplicationToken, 'disabledAt'> & Partial<Pick<ApplicationToken, 'enabledAt'>>,
  ): Promise<Application | undefined>;
  touchToken(accountId: string, id: number, clientId: string, now: Date): Promise<void>;
  /** Returns the application without the token; undefined when no application of the account has it. */
  deleteToken(accountId: string, clientId: string): Promise<Application | undefined>;
}

/** Writes without majority write concern, each with the reason why losing one is harmless. */
export const forgettable = { touchToken: 'the next use notes its time again' };

export const applicationCollection = 'applications';

const tokenSchema = new Schema<ApplicationToken>(
  {
    name: { type: String, default: null },
    clientId: { type: String, required: true },
    secretDigest: { type: String, required: true },
    createdAt: { type: Date, required: true },
    disabledAt: { type: Date, default: null },
    enabledAt: { type: Date, default: null },
    lastUsedAt: { type: Date, default: null },
  },
  { _id: false },
);
const schema = new Schema<ApplicationDocument>(
  {
    _id: Number,
    accountId: { type: String, required: true },
    name: { type: String, required: true },
    description: { type: String, default: '' },
    homepage: { type: String, default: null },
    redirectUris: [String],
    grantTypes: [String],
    scopes: { type: [Schema.Types.Mixed], required: true },
    scopesVersion: { type: Number, required: true },
    ssoConfigurationId: { type: Number, default: null },
    audience: { type: String, default: null },
    tokens: [tokenSchema],
    actsAsPersonId: { type: Number, default: null },
    pkceRequired: { type: Boolean, default: false },
    jwks: { type: String, default: null },
    jwksUri: { type: String, default: null },
    privateKeyJwtRequired: { type: Boolean, default: false },
    disabledAt: { type: Date, default: null },
    enabledAt: { type: Date, default: null },
  },
  { collection: applicationCollection, versionKey: false, writeConcern: durable },
);
schema.index({ accountId: 1, name: 1 }, { unique: true });
schema.index({ accountId: 1, _id: 1 });
schema.index({ accountId: 1, name: 1, _id: 1 });
schema.index({ accountId: 1, disabledAt: 1, _id: 1 });
schema.index({ 'tokens.clientId': 1 });

export function createApplicationRepository(connection: Connection, installed?: Application): ApplicationRepository {
  const applications = connection.model<ApplicationDocument>('Application', schema);
  const first = async (filter: QueryFilter<ApplicationDocument>): Promise<Application | undefined> => {
    const found = await applications.findOne(filter).lean();
    return found ? toApplication(found) : undefined;
  };
  const update = async (filter: QueryFilter<ApplicationDocument>, changes: object): Promise<boolean> =>
    (await applications.updateOne(filter, changes)).matchedCount > 0;
  const updated = async (
    filter: QueryFilter<ApplicationDocument>,
    changes: object,
  ): Promise<Application | undefined> => {
    const found = await applications.findOneAndUpdate(filter, changes, { returnDocument: 'after' }).lean();
    return found ? toApplication(found) : undefined;
  };
  return {
    find: (accountId, id) => first({ _id: id, accountId }),
    async findMany(accountId, ids) {
      const named = { _id: { $in: [...ids] }, accountId };
      const found = await readForCaller(connection, 'light', (options) =>
        applications.find(named).setOptions(options()).lean(),
      );
      return found.map(toApplication);
    },
    findByName: (accountId, name) => first({ accountId, name }),
    findByClientId: async (clientId) =>
      hasClient(installed, clientId) ? installed : first({ 'tokens.clientId': clientId }),
    async list(accountId, { after, before, limit, from }) {
      const range = { ...(after !== undefined && { $gt: after }), ...(before !== undefined && { $lt: before }) };
      const found = await applications
        .find({ accountId, ...(Object.keys(range).length > 0 && { _id: range }) })
        .sort({ _id: from === 'start' ? 1 : -1 })
        .limit(limit)
        .lean();
      return (from === 'start' ? found : found.reverse()).map(toApplication);
    },
    count: (accountId) => applications.countDocuments({ accountId }),
    async source(accountId, words) {
      if (words.length === 0) {
        const collection = connection.collection(applicationCollection);
        return createMongoSource<ApplicationDocument, Application>({
          collection,
          where: { accountId },
          toRecord: toApplication,
        });
      }
      const all = await readForCaller(connection, 'heavy', (options) =>
        applications.find({ accountId }).setOptions(options()).lean(),
      );
      const found = all.map(toApplication).filter(({ name, description }) => hasWords(words, name, description));
      return createArraySource(found);
    },
    insert: ({ id, ...fields }) => unlessTaken(applications.create({ _id: id, ...fields })),
    async change(accountId, id, changes, seen = {}) {
      const voids = changes.scopes !== undefined && { $inc: { scopesVersion: 1 } };
      try {
        return (await update({ _id: id, accountId, ...seen }, { $set: changes, ...voids })) ? 'changed' : 'missing';
      } catch (error) {
        if (isDuplicateKey(error)) return 'taken';
        throw error;
      }
    },
    async delete(accountId, id) {
      const found = await applications.findOneAndDelete({ _id: id, accountId }).lean();
      return found ? toApplication(found) : undefined;
    },
    addToken: (accountId, id, token, most) =>
      update({ _id: id, accountId, [`tokens.${most - 1}`]: { $exists: false } }, { $push: { tokens: token } }),
    changeToken: (accountId, id, clientId, changes) =>
      updated(
        { _id: id, accountId, 'tokens.clientId': clientId },
        { $set: Object.fromEntries(Object.entries(changes).map(([name, value]) => [`tokens.$.${name}`, value])) },
      ),
    async touchToken(accountId, id, clientId, now) {
      const filter = { _id: id, accountId, 'tokens.clientId': clientId };
      await applications.updateOne(filter, { $set: { 'tokens.$.lastUsedAt': now } }, { writeConcern: { w: 1 } });
    },
    deleteToken: (accountId, clientId) =>
      updated({ accountId, 'tokens.clientId': clientId }, { $pull: { tokens: { clientId } } }),
  };
}

/** Defaults for members that older documents lack; schema defaults apply only to writes. */
const later = {
  homepage: null,
  ssoConfigurationId: null,
  audience: null,
  actsAsPersonId: null,
  pkceRequired: false,
  jwks: null,
  jwksUri: null,
  privateKeyJwtRequired: false,
  enabledAt: null,
};

const laterOfToken = { name: null, lastUsedAt: null };

export const toApplication = ({ _id, ...stored }: ApplicationDocument): Application => ({
  id: _id,
  ...later,
  ...stored,
  tokens: stored.tokens.map((token) => ({ ...laterOfToken, ...token })),
});

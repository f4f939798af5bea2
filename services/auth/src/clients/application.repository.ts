import { createArraySource } from '@itsm/shared/api/rest/array-source';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { createMongoSource } from '@itsm/shared/api/rest/mongo-source';
import { fromStored, storedName, storedPaths, toStored } from '@itsm/shared/declared/stored';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { Schema } from 'mongoose';
import type { Connection, QueryFilter } from 'mongoose';
import { isDuplicateKey, unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import { hasWords } from '../directory/listing';
import type { Standing } from '../directory/standing';
import { applicationType } from './application';
import type { Application } from './application';
import { clientTokenType } from './client-token';
import type { ClientToken } from './client-token';
import { hasClient } from './installed-application';

type TokenDocument = Pick<ClientToken, 'clientId' | 'secretDigest' | 'enabledAt'> & { readonly version?: number };
/** Beside these members a document has the declared fields. */
type ApplicationDocument = Pick<Application, 'accountId' | 'name' | 'description' | 'scopesVersion'> & {
  readonly tokens: readonly TokenDocument[];
  readonly _id: number;
  readonly version?: number;
  readonly ssoConfigurationId?: number | null;
  readonly enabledAt?: Date | null;
  readonly createdAt?: Date;
  readonly updatedAt?: Date;
};
type Changes = Partial<Omit<Application, 'id' | 'accountId' | 'version' | 'scopesVersion' | 'updatedAt'>> &
  Pick<Application, 'updatedAt'>;

export interface ApplicationRepository {
  find(accountId: string, id: number): Promise<Application | undefined>;
  findMany(accountId: string, ids: readonly number[]): Promise<Application[]>;
  findByName(accountId: string, name: string): Promise<Application | undefined>;
  /** By client id only, because the account is not known before. */
  findByClientId(clientId: string): Promise<Application | undefined>;
  /** The account's applications whose name and description contain all `words`. */
  source(accountId: string, words: readonly string[]): Promise<CollectionSource<Application>>;
  /** False when the account has an application of this name already. */
  insert(application: Application): Promise<boolean>;
  /**
   * One atomic write. A change of scopes raises `scopesVersion`, which voids earlier grants. `missing`: unknown, or
   * without this version.
   */
  change(accountId: string, id: number, changes: Changes, version?: number): Promise<'changed' | 'missing' | 'taken'>;
  /** Deletes the application and returns it; undefined when unknown, or without this version. */
  delete(accountId: string, id: number, version?: number): Promise<Application | undefined>;
  /** False when the application has `most` tokens already, or is gone. */
  addToken(accountId: string, id: number, token: ClientToken, most: number): Promise<boolean>;
  /** False when it has no such token, or not in this version. */
  changeToken(
    application: Pick<Application, 'id' | 'accountId'>,
    token: Pick<ClientToken, 'clientId' | 'version'>,
    standing: Standing,
    now: Date,
  ): Promise<boolean>;
  touchToken(accountId: string, id: number, clientId: string, now: Date): Promise<void>;
  /** Returns the application without the token; undefined when none of the account has it, or not in this version. */
  deleteToken(accountId: string, clientId: string, now: Date, version?: number): Promise<Application | undefined>;
  /** Migration: gives times to applications of earlier releases, which had none; returns how many. */
  completeTimes(now: Date): Promise<number>;
}

/** Writes without majority write concern, each with the reason why losing one is harmless. */
export const forgettable = { touchToken: 'the next use notes its time again' };

export const applicationCollection = 'applications';

const tokenSchema = new Schema<TokenDocument>(
  {
    ...storedPaths(clientTokenType),
    version: Number,
    secretDigest: { type: String, required: true },
    enabledAt: { type: Date, default: null },
  },
  { _id: false },
);
const schema = new Schema<ApplicationDocument>(
  {
    _id: Number,
    accountId: { type: String, required: true },
    ...storedPaths(applicationType),
    version: Number,
    scopesVersion: { type: Number, required: true },
    tokens: [tokenSchema],
    enabledAt: { type: Date, default: null },
    createdAt: Date,
    updatedAt: Date,
  },
  { collection: applicationCollection, versionKey: false, writeConcern: durable },
);
schema.index({ accountId: 1, name: 1 }, { unique: true });
schema.index({ accountId: 1, _id: 1 });
schema.index({ accountId: 1, name: 1, _id: 1 });
for (const property of ['disabledAt', 'source', 'sourceID', 'createdAt', 'updatedAt'])
  schema.index({ accountId: 1, [property]: 1, _id: 1 });
schema.index({ 'tokens.clientId': 1 });

export function createApplicationRepository(connection: Connection, installed?: Application): ApplicationRepository {
  const applications = connection.model<ApplicationDocument>('Application', schema);
  const first = async (filter: QueryFilter<ApplicationDocument>): Promise<Application | undefined> => {
    const found = await applications.findOne(filter).lean();
    return found ? toApplication(found) : undefined;
  };
  const update = async (filter: QueryFilter<ApplicationDocument>, changes: object): Promise<boolean> =>
    (await applications.updateOne(filter, changes)).matchedCount > 0;
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
    insert(application) {
      const { id, accountId, version, scopesVersion, tokens, enabledAt, createdAt, updatedAt } = application;
      const fields = toStored(applicationType, application);
      const own = { version, scopesVersion, tokens, enabledAt, createdAt, updatedAt };
      return unlessTaken(applications.create({ _id: id, accountId, ...fields, ...own }));
    },
    async change(accountId, id, changes, version) {
      const $inc = { version: 1, ...(changes.scopes !== undefined && { scopesVersion: 1 }) };
      try {
        const filter = { _id: id, accountId, ...whereVersion(version) };
        return (await update(filter, { $set: byPath(changes), $inc })) ? 'changed' : 'missing';
      } catch (error) {
        if (isDuplicateKey(error)) return 'taken';
        throw error;
      }
    },
    async delete(accountId, id, version) {
      const found = await applications.findOneAndDelete({ _id: id, accountId, ...whereVersion(version) }).lean();
      return found ? toApplication(found) : undefined;
    },
    addToken: (accountId, id, token, most) =>
      update(
        { _id: id, accountId, [`tokens.${most - 1}`]: { $exists: false } },
        { $push: { tokens: token }, $inc: { version: 1 }, $set: { updatedAt: token.createdAt } },
      ),
    changeToken: ({ id, accountId }, { clientId, version }, { disabledAt, enabledAt }, now) =>
      update(
        { _id: id, accountId, tokens: { $elemMatch: { clientId, ...whereVersion(version) } } },
        {
          $set: { 'tokens.$.disabledAt': disabledAt, 'tokens.$.enabledAt': enabledAt, updatedAt: now },
          $inc: { version: 1, 'tokens.$.version': 1 },
        },
      ),
    async touchToken(accountId, id, clientId, now) {
      const filter = { _id: id, accountId, 'tokens.clientId': clientId };
      await applications.updateOne(filter, { $set: { 'tokens.$.lastUsedAt': now } }, { writeConcern: { w: 1 } });
    },
    async deleteToken(accountId, clientId, now, version) {
      const filter = { accountId, tokens: { $elemMatch: { clientId, ...whereVersion(version) } } };
      const found = await applications
        .findOneAndUpdate(
          filter,
          { $pull: { tokens: { clientId } }, $inc: { version: 1 }, $set: { updatedAt: now } },
          { returnDocument: 'after' },
        )
        .lean();
      return found ? toApplication(found) : undefined;
    },
    async completeTimes(now) {
      const timeless = { updatedAt: null };
      const found = await applications.find(timeless, { tokens: 1 }).lean();
      for (const { _id, tokens } of found) {
        const made = tokens.map((token) => toToken(token).createdAt);
        const createdAt = new Date(Math.min(now.getTime(), ...made.map((time) => time.getTime())));
        // Conditional, because a concurrent change gives it a time itself.
        await applications.updateOne({ _id, createdAt: null }, { $set: { createdAt } });
        await applications.updateOne({ _id, ...timeless }, { $set: { updatedAt: now } });
      }
      return found.length;
    },
  };
}

/** A document of an earlier release has none, and counts as 0, so that its first change raises it too. */
const whereVersion = (version: number | undefined) =>
  version !== undefined && { version: version === 0 ? { $exists: false } : version };

const byPath = (changes: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(changes).map(([name, value]) => [storedName(applicationType, name), value]));

/** The application of a document, also of an earlier release. */
export function toApplication(document: ApplicationDocument): Application {
  const { _id: id, accountId, version = 0, scopesVersion, tokens, enabledAt = null } = document;
  // One that an earlier release has made since the start has no times yet.
  const { createdAt = new Date(0), updatedAt = createdAt } = document;
  return {
    id,
    accountId,
    ...fromStored(applicationType, document),
    version,
    scopesVersion,
    tokens: tokens.map(toToken),
    enabledAt,
    createdAt,
    updatedAt,
  };
}

const toToken = ({ version = 0, secretDigest, enabledAt, ...token }: TokenDocument): ClientToken => ({
  ...fromStored(clientTokenType, token),
  version,
  secretDigest,
  enabledAt,
});

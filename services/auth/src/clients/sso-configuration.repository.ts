import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import { fromStored, storedPaths, toStored } from '@itsm/shared/declared/stored';
import { isDuplicateKey, unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import type { SealedPlace } from '@itsm/shared/stores/reseal/reseal';
import { secretContextOf, ssoConfigurationType } from './sso-configuration';
import type { SsoConfiguration } from './sso-configuration';

/** Beside these members a document has the declared fields. */
interface SsoConfigurationDocument extends Pick<SsoConfiguration, 'accountId' | 'name' | 'createdAt' | 'updatedAt'> {
  readonly _id: number;
  readonly version?: number;
  readonly sealedClientSecret?: string | null;
}

export interface SsoConfigurationRepository {
  find(accountId: string, id: number): Promise<SsoConfiguration | undefined>;
  /** By name. */
  list(accountId: string): Promise<SsoConfiguration[]>;
  /** False when the account has one of this name already. */
  insert(configuration: SsoConfiguration): Promise<boolean>;
  /** `stale`: a concurrent change came first. Compare-and-set on the version. */
  replace(before: SsoConfiguration, after: SsoConfiguration): Promise<'written' | 'taken' | 'stale'>;
}

export const ssoConfigurationCollection = 'sso_configurations';

const schema = new Schema<SsoConfigurationDocument>(
  {
    _id: Number,
    accountId: { type: String, required: true },
    ...storedPaths(ssoConfigurationType),
    version: Number,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: ssoConfigurationCollection, versionKey: false, writeConcern: durable },
);
schema.index({ accountId: 1, name: 1 }, { unique: true });

export function createSsoConfigurationRepository(connection: Connection): SsoConfigurationRepository {
  const configurations = connection.model<SsoConfigurationDocument>('SsoConfiguration', schema);
  return {
    async find(accountId, id) {
      const found = await configurations.findOne({ _id: id, accountId }).lean();
      return found ? toSsoConfiguration(found) : undefined;
    },
    async list(accountId) {
      const found = await readForCaller(connection, 'light', (options) =>
        configurations.find({ accountId }).sort({ name: 1 }).setOptions(options()).lean(),
      );
      return found.map(toSsoConfiguration);
    },
    async insert(configuration) {
      const { id, accountId, version, createdAt, updatedAt } = configuration;
      const fields = toStored(ssoConfigurationType, configuration);
      return unlessTaken(configurations.create({ _id: id, accountId, ...fields, version, createdAt, updatedAt }));
    },
    async replace({ id, accountId, version }, after) {
      const change = { ...toStored(ssoConfigurationType, after), updatedAt: after.updatedAt };
      // A document of an earlier release has no version, and counts as 0.
      const seen = { _id: id, accountId, version: version === 0 ? { $exists: false } : version };
      try {
        const { matchedCount } = await configurations.updateOne(seen, { $set: change, $inc: { version: 1 } });
        return matchedCount > 0 ? 'written' : 'stale';
      } catch (error) {
        if (isDuplicateKey(error)) return 'taken';
        throw error;
      }
    },
  };
}

/** The configuration of a document, also of an earlier release. */
export function toSsoConfiguration(document: SsoConfigurationDocument): SsoConfiguration {
  const { _id: id, accountId, version = 0, createdAt, updatedAt } = document;
  return { id, accountId, ...fromStored(ssoConfigurationType, document), version, createdAt, updatedAt };
}

/** Where the sealed client secrets for identity providers are stored. */
export const sealedClientSecrets: SealedPlace<SsoConfigurationDocument> = {
  collection: ssoConfigurationCollection,
  members: ['sealedClientSecret'],
  textsIn: ({ _id, sealedClientSecret: sealed }) =>
    sealed ? [{ path: 'sealedClientSecret', sealed, context: secretContextOf(_id) }] : [],
};

import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { Schema } from 'mongoose';
import type { Connection, QueryFilter } from 'mongoose';
import { isDuplicateKey } from '@itsm/shared/stores/mongo/duplicate-key';
import type { SealedPlace } from '@itsm/shared/stores/reseal/reseal';
import { secretContextOf } from './sso-configuration';
import type { SsoConfiguration } from './sso-configuration';

/** Members that documents of earlier releases lack. */
type Later = 'emailVerifiedRequired' | 'clientId' | 'sealedClientSecret' | 'formerRedirectUri';
type SsoConfigurationDocument = Omit<SsoConfiguration, 'id' | Later> &
  Partial<Pick<SsoConfiguration, Later>> & {
    readonly _id: number;
  };
type Changes = Partial<Pick<SsoConfiguration, 'name' | 'issuer' | 'identifier' | Later | 'disabledAt'>>;

export interface SsoConfigurationRepository {
  find(accountId: string, id: number): Promise<SsoConfiguration | undefined>;
  /** By name. */
  list(accountId: string): Promise<SsoConfiguration[]>;
  /** False when the account has one of this name already. */
  insert(configuration: SsoConfiguration): Promise<boolean>;
  change(accountId: string, id: number, changes: Changes, now: Date): Promise<SsoConfiguration | 'taken' | undefined>;
}

export const ssoConfigurationCollection = 'sso_configurations';

const schema = new Schema<SsoConfigurationDocument>(
  {
    _id: Number,
    accountId: { type: String, required: true },
    name: { type: String, required: true },
    issuer: { type: String, required: true },
    identifier: { type: String, required: true },
    emailVerifiedRequired: Boolean,
    clientId: String,
    sealedClientSecret: String,
    formerRedirectUri: Boolean,
    disabledAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: ssoConfigurationCollection, versionKey: false, writeConcern: durable },
);
schema.index({ accountId: 1, name: 1 }, { unique: true });

export function createSsoConfigurationRepository(connection: Connection): SsoConfigurationRepository {
  const configurations = connection.model<SsoConfigurationDocument>('SsoConfiguration', schema);
  const orTaken = async <T>(write: Promise<T>): Promise<T | 'taken'> => {
    try {
      return await write;
    } catch (error) {
      if (isDuplicateKey(error)) return 'taken';
      throw error;
    }
  };
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
    async insert({ id, ...fields }) {
      return (await orTaken(configurations.create({ _id: id, ...fields }))) !== 'taken';
    },
    async change(accountId, id, changes, now) {
      const filter: QueryFilter<SsoConfigurationDocument> = { _id: id, accountId };
      const change = { $set: { ...changes, updatedAt: now } };
      const saved = await orTaken(configurations.findOneAndUpdate(filter, change, { returnDocument: 'after' }).lean());
      if (saved === 'taken') return saved;
      return saved ? toSsoConfiguration(saved) : undefined;
    },
  };
}

export const toSsoConfiguration = ({
  _id: id,
  emailVerifiedRequired = true,
  clientId = null,
  sealedClientSecret = null,
  formerRedirectUri = true,
  ...fields
}: SsoConfigurationDocument): SsoConfiguration => ({
  id,
  emailVerifiedRequired,
  clientId,
  sealedClientSecret,
  formerRedirectUri,
  ...fields,
});

/** Where the sealed client secrets for identity providers are stored. */
export const sealedClientSecrets: SealedPlace<SsoConfigurationDocument> = {
  collection: ssoConfigurationCollection,
  members: ['sealedClientSecret'],
  textsIn: ({ _id, sealedClientSecret: sealed }) =>
    sealed ? [{ path: 'sealedClientSecret', sealed, context: secretContextOf(_id) }] : [],
};

import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { isDuplicateKey } from '@itsm/shared/stores/mongo/duplicate-key';
import type { SealedPlace } from '@itsm/shared/stores/reseal/reseal';
import { Schema } from 'mongoose';
import type { Connection, QueryFilter } from 'mongoose';

/** The authenticator app of a person. */
export interface Totp {
  readonly secret: Buffer;
  /** The time step of the last used code; codes of this step and earlier ones are refused. */
  readonly lastStep: number;
  readonly addedAt: Date;
  readonly lastUsedAt: Date;
}

/** The second factors of a person, other than passkeys. */
export interface SecondFactor {
  readonly totp: Totp | undefined;
  /** The number of unused recovery codes. */
  readonly recoveryCodes: number;
}

interface SecondFactorDocument {
  readonly _id: number;
  readonly accountId: string;
  readonly sealedSecret?: string | null;
  readonly lastStep?: number;
  readonly addedAt?: Date;
  readonly lastUsedAt?: Date;
  readonly recoveryCodes?: readonly string[];
}

/** By person. Each method is one conditional write, so that of concurrent calls one succeeds. */
export interface SecondFactorRepository {
  find(accountId: string, personId: number): Promise<SecondFactor | undefined>;
  /** False when the person has an authenticator app already. */
  addTotp(accountId: string, personId: number, totp: Omit<Totp, 'lastUsedAt'>): Promise<boolean>;
  removeTotp(accountId: string, personId: number): Promise<boolean>;
  /** False when a code of this time step or a later one was used before. */
  useStep(accountId: string, personId: number, step: number, now: Date): Promise<boolean>;
  /** False when there are codes left. */
  addRecoveryCodes(accountId: string, personId: number, digests: readonly string[]): Promise<boolean>;
  replaceRecoveryCodes(accountId: string, personId: number, digests: readonly string[]): Promise<void>;
  /** False when the code does not exist, or was used before. */
  useRecoveryCode(accountId: string, personId: number, digest: string): Promise<boolean>;
}

const collection = 'second_factors';

const schema = new Schema<SecondFactorDocument>(
  {
    _id: Number,
    accountId: { type: String, required: true },
    sealedSecret: String,
    lastStep: Number,
    addedAt: Date,
    lastUsedAt: Date,
    recoveryCodes: { type: [String], default: undefined },
  },
  { collection, versionKey: false, writeConcern: durable },
);

const contextOf = (personId: number): string => `authenticator app ${personId}`;

/** Where the sealed secrets of authenticator apps are stored. */
export const sealedAuthenticators: SealedPlace<SecondFactorDocument> = {
  collection,
  members: ['sealedSecret'],
  textsIn: ({ _id, sealedSecret }) =>
    sealedSecret ? [{ path: 'sealedSecret', sealed: sealedSecret, context: contextOf(_id) }] : [],
};

export function createSecondFactorRepository(connection: Connection, sealer: Sealer): SecondFactorRepository {
  const factors = connection.model<SecondFactorDocument>('SecondFactor', schema);

  /** Creates the document when the person has none; false when the existing one does not meet the condition. */
  async function upsert(filter: QueryFilter<SecondFactorDocument>, fields: object): Promise<boolean> {
    try {
      const { matchedCount, upsertedCount } = await factors.updateOne(filter, { $set: fields }, { upsert: true });
      return matchedCount + upsertedCount > 0;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  return {
    async find(accountId, personId) {
      const found = await factors.findOne({ _id: personId, accountId }).lean();
      return found ? toSecondFactor(found, sealer) : undefined;
    },
    addTotp: (accountId, personId, { secret, ...fields }) =>
      upsert(
        { _id: personId, accountId, sealedSecret: null },
        {
          ...fields,
          sealedSecret: sealer.seal(secret.toString('base64'), contextOf(personId)),
          lastUsedAt: fields.addedAt,
        },
      ),
    async removeTotp(accountId, personId) {
      const filter = { _id: personId, accountId, sealedSecret: { $ne: null } };
      return (await factors.updateOne(filter, { $set: { sealedSecret: null } })).matchedCount > 0;
    },
    async useStep(accountId, personId, step, now) {
      const filter = { _id: personId, accountId, sealedSecret: { $ne: null }, lastStep: { $lt: step } };
      return (await factors.updateOne(filter, { $set: { lastStep: step, lastUsedAt: now } })).matchedCount > 0;
    },
    addRecoveryCodes: (accountId, personId, digests) =>
      upsert({ _id: personId, accountId, 'recoveryCodes.0': { $exists: false } }, { recoveryCodes: digests }),
    async replaceRecoveryCodes(accountId, personId, digests) {
      await factors.updateOne({ _id: personId, accountId }, { $set: { recoveryCodes: digests } });
    },
    async useRecoveryCode(accountId, personId, digest) {
      const filter = { _id: personId, accountId, recoveryCodes: digest };
      return (await factors.updateOne(filter, { $pull: { recoveryCodes: digest } })).matchedCount > 0;
    },
  };
}

function toSecondFactor(found: SecondFactorDocument, sealer: Sealer): SecondFactor {
  const { _id, sealedSecret, lastStep, addedAt, lastUsedAt, recoveryCodes = [] } = found;
  const has = sealedSecret && lastStep !== undefined && addedAt && lastUsedAt;
  return {
    totp: has
      ? { secret: Buffer.from(sealer.open(sealedSecret, contextOf(_id)), 'base64'), lastStep, addedAt, lastUsedAt }
      : undefined,
    recoveryCodes: recoveryCodes.length,
  };
}

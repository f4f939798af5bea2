import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import type { SealedPlace } from '@itsm/shared/stores/reseal/reseal';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import { unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import type { ScheduledKey } from './signing-key';
import { fromPem, toPem } from './signing-key';

interface SigningKeyDocument {
  readonly _id: string;
  readonly sealedPrivateKey: string;
  readonly predecessor?: string | null;
  readonly createdAt: Date;
  readonly signsFrom?: Date;
}

/** Stores the signing keys of the whole installation, with sealed private parts. */
export interface SigningKeyRepository {
  /** Oldest first. */
  list(): Promise<ScheduledKey[]>;
  /** The conditional write of a rotation: false when `predecessor` (null for the first key) already has a successor. */
  append(key: ScheduledKey, predecessor: string | null): Promise<boolean>;
  delete(kids: readonly string[]): Promise<void>;
}

const collection = 'signing_keys';

const schema = new Schema<SigningKeyDocument>(
  {
    _id: String,
    sealedPrivateKey: { type: String, required: true },
    predecessor: { type: String, default: null },
    createdAt: { type: Date, required: true },
    signsFrom: Date,
  },
  { collection, versionKey: false, writeConcern: durable },
);
schema.index({ predecessor: 1 }, { unique: true });
// All keys are read in this order.
schema.index({ createdAt: 1, _id: 1 });

const contextOf = (kid: string): string => `signing key ${kid}`;

/** Where the sealed private keys are stored. */
export const sealedSigningKeys: SealedPlace<SigningKeyDocument> = {
  collection,
  members: ['sealedPrivateKey'],
  textsIn: ({ _id, sealedPrivateKey: sealed }) => [{ path: 'sealedPrivateKey', sealed, context: contextOf(_id) }],
};

export function createSigningKeyRepository(connection: Connection, sealer: Sealer): SigningKeyRepository {
  const keys = connection.model<SigningKeyDocument>('SigningKey', schema);
  return {
    async list() {
      const found = await keys.find().sort({ createdAt: 1, _id: 1 }).lean();
      return found.map(({ _id, sealedPrivateKey, createdAt, signsFrom = createdAt }) => ({
        ...fromPem(sealer.open(sealedPrivateKey, contextOf(_id))),
        createdAt,
        signsFrom,
      }));
    },
    async append(key, predecessor) {
      const { kid, createdAt, signsFrom } = key;
      const sealedPrivateKey = sealer.seal(toPem(key), contextOf(kid));
      return unlessTaken(keys.create({ _id: kid, sealedPrivateKey, predecessor, createdAt, signsFrom }));
    },
    async delete(kids) {
      if (kids.length > 0) await keys.deleteMany({ _id: { $in: [...kids] } });
    },
  };
}

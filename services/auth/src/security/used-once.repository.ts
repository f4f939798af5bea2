import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';

/** Replay protection: digests of one-time values, kept until the value would be refused as expired. */
export interface UsedOnceRepository {
  /** Marks the digest as used; false when it was used before. Of concurrent calls only one gets true. */
  use(digest: string, expiresAt: Date): Promise<boolean>;
}

interface UsedOnceDocument {
  readonly _id: string;
  readonly expiresAt: Date;
}

const schema = new Schema<UsedOnceDocument>(
  { _id: String, expiresAt: { type: Date, required: true } },
  { collection: 'used_once', versionKey: false, writeConcern: durable },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function createUsedOnceRepository(connection: Connection): UsedOnceRepository {
  const used = connection.model<UsedOnceDocument>('UsedOnce', schema);
  return {
    use: (digest, expiresAt) => unlessTaken(used.create({ _id: digest, expiresAt })),
  };
}

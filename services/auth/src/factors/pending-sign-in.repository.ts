import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';

/** A sign-in in one browser that is waiting for the second factor. */
export interface PendingSignIn {
  /** The digest of the id in the browser's cookie. */
  readonly digest: string;
  readonly accountId: string;
  readonly personId: number;
  /** The salt of the password that was given; a new password invalidates the sign-in. */
  readonly passwordSalt: string | null;
  /** The first factor: `password`, or the name of the identity provider. */
  readonly shown: string;
  /** Whether it was a provider. */
  readonly atProvider: boolean;
  /** Where to go afterwards. */
  readonly next: string;
  readonly expiresAt: Date;
}

type PendingDocument = Omit<PendingSignIn, 'digest'> & { readonly _id: string };

/** Found by the digest of the browser's cookie. */
export interface PendingSignInRepository {
  insert(pending: PendingSignIn): Promise<void>;
  find(digest: string, now: Date): Promise<PendingSignIn | undefined>;
  /** Deletes it and returns it. Of concurrent calls only one gets it. */
  take(digest: string, now: Date): Promise<PendingSignIn | undefined>;
}

const schema = new Schema<PendingDocument>(
  {
    _id: String,
    accountId: { type: String, required: true },
    personId: { type: Number, required: true },
    passwordSalt: { type: String, default: null },
    shown: { type: String, required: true },
    atProvider: { type: Boolean, required: true },
    next: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'pending_sign_ins', versionKey: false, writeConcern: durable },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function createPendingSignInRepository(connection: Connection): PendingSignInRepository {
  const pending = connection.model<PendingDocument>('PendingSignIn', schema);
  return {
    async insert({ digest, ...fields }) {
      await pending.create({ _id: digest, ...fields });
    },
    async find(digest, now) {
      const found = await pending.findOne({ _id: digest, expiresAt: { $gt: now } }).lean();
      return found ? toPending(found) : undefined;
    },
    async take(digest, now) {
      const found = await pending.findOneAndDelete({ _id: digest, expiresAt: { $gt: now } }).lean();
      return found ? toPending(found) : undefined;
    },
  };
}

const toPending = ({ _id, ...fields }: PendingDocument): PendingSignIn => ({ digest: _id, ...fields });

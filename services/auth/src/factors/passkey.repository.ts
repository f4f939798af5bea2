import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';

/** A passkey (WebAuthn credential) of a person. */
export interface Passkey {
  /** The credential's own id, in base64url. */
  readonly id: string;
  readonly accountId: string;
  readonly personId: number;
  readonly name: string;
  /** COSE key in base64url. */
  readonly publicKey: string;
  /** The signature counter of the authenticator; always 0 where it has none. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

type PasskeyDocument = Omit<Passkey, 'id'> & { readonly _id: string };

export interface PasskeyRepository {
  /** By credential id alone: a sign-in with a passkey names no person. */
  findAnywhere(id: string): Promise<Passkey | undefined>;
  list(accountId: string, personId: number): Promise<Passkey[]>;
  /** False when the credential is registered already, for any person. */
  insert(passkey: Passkey): Promise<boolean>;
  /** Stores the new counter; false when the passkey was used meanwhile, or removed. */
  use(passkey: Passkey, counter: number, now: Date): Promise<boolean>;
  /** Returns the deleted passkey; undefined when the person does not have it. */
  delete(accountId: string, personId: number, id: string): Promise<Passkey | undefined>;
  deleteAll(accountId: string, personId: number): Promise<number>;
}

const schema = new Schema<PasskeyDocument>(
  {
    _id: String,
    accountId: { type: String, required: true },
    personId: { type: Number, required: true },
    name: { type: String, required: true },
    publicKey: { type: String, required: true },
    counter: { type: Number, required: true },
    transports: [String],
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, default: null },
  },
  { collection: 'passkeys', versionKey: false, writeConcern: durable },
);
schema.index({ accountId: 1, personId: 1, createdAt: 1 });

export function createPasskeyRepository(connection: Connection): PasskeyRepository {
  const passkeys = connection.model<PasskeyDocument>('Passkey', schema);
  return {
    async findAnywhere(id) {
      const found = await passkeys.findById(id).lean();
      return found ? toPasskey(found) : undefined;
    },
    async list(accountId, personId) {
      const found = await passkeys.find({ accountId, personId }).sort({ createdAt: 1 }).lean();
      return found.map(toPasskey);
    },
    insert: ({ id, ...fields }) => unlessTaken(passkeys.create({ _id: id, ...fields })),
    async use({ id, accountId, personId, counter: before }, counter, now) {
      const filter = { _id: id, accountId, personId, counter: before };
      return (await passkeys.updateOne(filter, { $set: { counter, lastUsedAt: now } })).matchedCount > 0;
    },
    async delete(accountId, personId, id) {
      const found = await passkeys.findOneAndDelete({ _id: id, accountId, personId }).lean();
      return found ? toPasskey(found) : undefined;
    },
    async deleteAll(accountId, personId) {
      return (await passkeys.deleteMany({ accountId, personId })).deletedCount;
    },
  };
}

const toPasskey = ({ _id, ...fields }: PasskeyDocument): Passkey => ({ id: _id, ...fields });

import { asText } from '@itsm/shared/stores/mongo/partial-index';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import type { Session } from './session';

type SessionDocument = Omit<Session, 'id' | 'digest'> & {
  readonly _id: string;
  /** The present digest, if the session was renewed. */
  readonly renewedDigest?: string;
};

/** Finds sessions by the present digest of the cookie. */
export interface SessionRepository {
  find(digest: string): Promise<Session | undefined>;
  insert(session: Session): Promise<void>;
  /** The sessions of the person, last seen first. */
  list(accountId: string, personId: number, most: number): Promise<Session[]>;
  touch(id: string, seen: Pick<Session, 'lastSeenAt' | 'ip'>): Promise<void>;
  /** Records that the identity provider has authenticated the person. */
  vouch(id: string, now: Date): Promise<void>;
  /** Gives the session a new digest; false when it has ended, or was renewed already. */
  renew(former: string, digest: string, authenticatedAt: Date, provedFactor: boolean): Promise<boolean>;
  /** Records that a second factor was proved in the session. */
  prove(id: string): Promise<void>;
  /** Returns the deleted session; undefined when there was none. */
  delete(digest: string): Promise<Session | undefined>;
  /** False when the person has no such session. */
  deleteOf(accountId: string, personId: number, digest: string): Promise<boolean>;
  /** Deletes all sessions of the person, except the one with this id; returns how many. */
  deleteAll(accountId: string, personId: number, except?: string): Promise<number>;
}

export const sessionCollection = 'sessions';

const schema = new Schema<SessionDocument>(
  {
    _id: String,
    accountId: { type: String, required: true },
    personId: { type: Number, required: true },
    renewedDigest: String,
    passwordSalt: { type: String, default: null },
    createdAt: { type: Date, required: true },
    lastSeenAt: { type: Date, required: true },
    authenticatedAt: Date,
    vouchedAt: Date,
    provedFactor: Boolean,
    browser: String,
    ip: String,
    expiresAt: { type: Date, required: true },
  },
  { collection: sessionCollection, versionKey: false, writeConcern: durable },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
schema.index({ renewedDigest: 1 }, { unique: true, partialFilterExpression: { renewedDigest: { $type: 'string' } } });
schema.index({ accountId: 1, personId: 1, lastSeenAt: -1 });

/** A renewed session is not found by its first digest. */
const under = (digest: string) => ({
  $or: [{ _id: digest, renewedDigest: null }, { renewedDigest: asText(digest) }],
});

export function createSessionRepository(connection: Connection): SessionRepository {
  const sessions = connection.model<SessionDocument>('Session', schema);
  return {
    async find(digest) {
      const found = await sessions.findOne(under(digest)).lean();
      return found ? toSession(found) : undefined;
    },
    async insert({ id, digest, ...fields }) {
      await sessions.create({ _id: id, ...(digest !== id && { renewedDigest: digest }), ...fields });
    },
    async list(accountId, personId, most) {
      const found = await sessions.find({ accountId, personId }).sort({ lastSeenAt: -1 }).limit(most).lean();
      return found.map(toSession);
    },
    async touch(id, seen) {
      await sessions.updateOne({ _id: id }, { $set: seen });
    },
    async vouch(id, now) {
      await sessions.updateOne({ _id: id }, { $set: { vouchedAt: now } });
    },
    async renew(former, renewedDigest, authenticatedAt, provedFactor) {
      const renewed = { renewedDigest, authenticatedAt, vouchedAt: null, ...(provedFactor && { provedFactor }) };
      return (await sessions.updateOne(under(former), { $set: renewed })).matchedCount > 0;
    },
    async prove(id) {
      await sessions.updateOne({ _id: id }, { $set: { provedFactor: true } });
    },
    async delete(digest) {
      const found = await sessions.findOneAndDelete(under(digest)).lean();
      return found ? toSession(found) : undefined;
    },
    async deleteOf(accountId, personId, digest) {
      return (await sessions.deleteOne({ ...under(digest), accountId, personId })).deletedCount > 0;
    },
    async deleteAll(accountId, personId, except) {
      const filter = { accountId, personId, ...(except !== undefined && { _id: { $ne: except } }) };
      return (await sessions.deleteMany(filter)).deletedCount;
    },
  };
}

export const toSession = ({ _id, renewedDigest, ...stored }: SessionDocument): Session => ({
  ...stored,
  id: _id,
  digest: renewedDigest ?? _id,
});

import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import type { Session } from './session';

type SessionDocument = Omit<Session, 'digest'> & { readonly _id: string };

/** Sessions by the digest of their id, which is all that a request brings. */
export interface SessionRepository {
  find(digest: string): Promise<Session | undefined>;
  insert(session: Session): Promise<void>;
  touch(digest: string, now: Date): Promise<void>;
  delete(digest: string): Promise<void>;
}

const schema = new Schema<SessionDocument>(
  {
    _id: String,
    accountId: { type: String, required: true },
    personId: { type: Number, required: true },
    passwordSalt: { type: String, default: null },
    createdAt: { type: Date, required: true },
    lastSeenAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'sessions', versionKey: false, writeConcern: durable },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function createSessionRepository(connection: Connection): SessionRepository {
  const sessions = connection.model<SessionDocument>('Session', schema);
  return {
    async find(digest) {
      const found = await sessions.findById(digest).lean();
      return found ? { digest, ...found } : undefined;
    },
    async insert({ digest, ...fields }) {
      await sessions.create({ _id: digest, ...fields });
    },
    async touch(digest, now) {
      await sessions.updateOne({ _id: digest }, { $set: { lastSeenAt: now } });
    },
    async delete(digest) {
      await sessions.deleteOne({ _id: digest });
    },
  };
}

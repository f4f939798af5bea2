import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import { createGroupInsert } from '@itsm/shared/stores/mongo/group-insert';
import { unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import { grantSchema } from './token-family.repository';
import type { AccessToken, RefreshToken } from './token';

type AccessDocument = Omit<AccessToken, 'digest'> & { readonly _id: string };
type RefreshDocument = Omit<RefreshToken, 'digest'> & { readonly _id: string };

/** Stores tokens by the digest of their secret, which is all that a request has. */
export interface TokenRepository {
  findAccess(digest: string): Promise<AccessToken | undefined>;
  findRefresh(digest: string): Promise<RefreshToken | undefined>;
  /** A token without a family. */
  insertAccess(token: AccessToken): Promise<void>;
  /** Revokes an access token; the rest of its family is not affected. */
  revokeAccess(digest: string, now: Date): Promise<void>;
  /** Idempotent for the same tokens. */
  store(access: AccessToken, refresh: RefreshToken): Promise<void>;
  /** The conditional write that rotates a refresh token; false when it was rotated before or has expired. */
  rotate(digest: string, successor: string, now: Date): Promise<boolean>;
  wipeSuccessor(digest: string): Promise<void>;
  /** Wipes the sealed successors of all rotations before `time`. */
  wipeSuccessorsBefore(time: Date): Promise<void>;
}

const common = {
  _id: String,
  grant: grantSchema,
  createdAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
};
const accessSchema = new Schema<AccessDocument>(
  { ...common, jkt: String, revokedAt: { type: Date, default: null } },
  { collection: 'access_tokens', versionKey: false, writeConcern: durable },
);
accessSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const rotationSchema = new Schema(
  { at: { type: Date, required: true }, successor: { type: String, default: null } },
  { _id: false },
);
const refreshSchema = new Schema<RefreshDocument>(
  {
    ...common,
    endsAt: { type: Date, required: true },
    predecessor: { type: String, default: null },
    rotation: { type: rotationSchema, default: null },
  },
  { collection: 'refresh_tokens', versionKey: false, writeConcern: durable },
);
refreshSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
refreshSchema.index({ 'rotation.at': 1 }, { partialFilterExpression: { 'rotation.successor': { $type: 'string' } } });

const safely = { writeConcern: durable };

export function createTokenRepository(connection: Connection): TokenRepository {
  connection.model<AccessDocument>('AccessToken', accessSchema);
  connection.model<RefreshDocument>('RefreshToken', refreshSchema);
  // Bypasses Mongoose: its casting would take longer than the rest of a token request, and the values are typed already.
  const access = connection.collection<AccessDocument>('access_tokens');
  const refresh = connection.collection<RefreshDocument>('refresh_tokens');
  const addAccess = createGroupInsert(access);
  const addRefresh = createGroupInsert(refresh);
  return {
    async findAccess(digest) {
      const found = await access.findOne({ _id: digest });
      return found ? { digest, ...found } : undefined;
    },
    async findRefresh(digest) {
      const found = await refresh.findOne({ _id: digest });
      return found ? { digest, ...found } : undefined;
    },
    async insertAccess({ digest, ...token }) {
      await addAccess({ _id: digest, ...token });
    },
    async revokeAccess(digest, now) {
      await access.updateOne({ _id: digest, revokedAt: null }, { $set: { revokedAt: now } }, safely);
    },
    async store({ digest: accessDigest, ...accessToken }, { digest: refreshDigest, ...refreshToken }) {
      await Promise.all([
        unlessTaken(addAccess({ _id: accessDigest, ...accessToken })),
        unlessTaken(addRefresh({ _id: refreshDigest, ...refreshToken })),
      ]);
    },
    async rotate(digest, successor, now) {
      const { modifiedCount } = await refresh.updateOne(
        { _id: digest, rotation: null, expiresAt: { $gt: now } },
        { $set: { rotation: { at: now, successor } } },
        safely,
      );
      return modifiedCount === 1;
    },
    async wipeSuccessor(digest) {
      await refresh.updateOne(
        { _id: digest, rotation: { $ne: null } },
        { $set: { 'rotation.successor': null } },
        safely,
      );
    },
    async wipeSuccessorsBefore(time) {
      await refresh.updateMany(
        { 'rotation.successor': { $type: 'string' }, 'rotation.at': { $lte: time } },
        { $set: { 'rotation.successor': null } },
        safely,
      );
    },
  };
}

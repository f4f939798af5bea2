import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import type { TokenFamily } from './token-family';

type FamilyDocument = TokenFamily & { readonly _id: string };

/** Stores token families. A code finds its family before the account is known; elsewhere `accountId` is the person's. */
export interface TokenFamilyRepository {
  insert(family: TokenFamily): Promise<void>;
  find(accountId: string, id: string): Promise<TokenFamily | undefined>;
  /** The newest `most` families of an authorization whose code was redeemed, and that are neither revoked nor expired. */
  listOfAuthorization(accountId: string, authorizationId: string, now: Date, most: number): Promise<TokenFamily[]>;
  findByCode(codeDigest: string): Promise<TokenFamily | undefined>;
  /** The conditional write that uses up a code; false when it was used, has expired or was revoked. */
  redeem(accountId: string, id: string, now: Date, expiresAt: Date): Promise<boolean>;
  extend(accountId: string, id: string, expiresAt: Date): Promise<void>;
  revoke(accountId: string, id: string, now: Date): Promise<void>;
}

const text = { type: String, required: true } as const;
const time = { type: Date, required: true } as const;

export const grantSchema = new Schema(
  {
    familyId: { type: String, default: null },
    authorizationId: { type: String, default: null },
    accountId: text,
    personId: { type: Number, required: true },
    applicationAccountId: text,
    applicationId: { type: Number, required: true },
    clientId: text,
    scopesVersion: { type: Number, required: true },
    sessionId: String,
    authenticatedAt: Date,
    actions: { type: [String], default: undefined },
  },
  { _id: false },
);
const codeSchema = new Schema(
  {
    digest: text,
    redirectUri: text,
    challenge: { type: String, default: null },
    jkt: String,
    expiresAt: time,
    usedAt: { type: Date, default: null },
  },
  { _id: false },
);
const schema = new Schema<FamilyDocument>(
  {
    _id: String,
    grant: grantSchema,
    code: codeSchema,
    createdAt: time,
    expiresAt: time,
    revokedAt: { type: Date, default: null },
  },
  { collection: 'token_families', versionKey: false, writeConcern: durable },
);
schema.index({ 'code.digest': 1 }, { unique: true });
schema.index({ 'grant.authorizationId': 1, createdAt: -1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const safely = { writeConcern: durable };

export function createTokenFamilyRepository(connection: Connection): TokenFamilyRepository {
  connection.model<FamilyDocument>('TokenFamily', schema);
  const families = connection.collection<FamilyDocument>('token_families');
  return {
    async insert(family) {
      await families.insertOne({ ...family, _id: family.grant.familyId }, safely);
    },
    async find(accountId, id) {
      const found = await families.findOne({ _id: id, 'grant.accountId': accountId });
      return found ?? undefined;
    },
    listOfAuthorization: (accountId, authorizationId, now, most) =>
      families
        .find({
          'grant.authorizationId': authorizationId,
          'grant.accountId': accountId,
          revokedAt: null,
          'code.usedAt': { $ne: null },
          expiresAt: { $gt: now },
        })
        .sort({ createdAt: -1 })
        .limit(most)
        .toArray(),
    async findByCode(codeDigest) {
      const found = await families.findOne({ 'code.digest': codeDigest });
      return found ?? undefined;
    },
    async redeem(accountId, id, now, expiresAt) {
      const { modifiedCount } = await families.updateOne(
        {
          _id: id,
          'grant.accountId': accountId,
          'code.usedAt': null,
          'code.expiresAt': { $gt: now },
          revokedAt: null,
        },
        { $set: { 'code.usedAt': now, expiresAt } },
        safely,
      );
      return modifiedCount === 1;
    },
    async extend(accountId, id, expiresAt) {
      await families.updateOne({ _id: id, 'grant.accountId': accountId }, { $max: { expiresAt } }, safely);
    },
    async revoke(accountId, id, now) {
      await families.updateOne(
        { _id: id, 'grant.accountId': accountId, revokedAt: null },
        { $set: { revokedAt: now } },
        safely,
      );
    },
  };
}

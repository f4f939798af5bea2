import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import { emailKeyOf } from './person';
import { mostOffers } from './role-offer';
import type { RoleOffer } from './role-offer';

interface RoleOfferDocument extends Omit<RoleOffer, 'id'> {
  readonly _id: string;
  readonly emailKey: string;
  /** The person no longer sees the offer; the account that made it cannot see that it was declined. */
  readonly declinedAt?: Date | null;
}

/** The person whom an offer is for; `accountId` is their own account. */
export interface Recipient {
  readonly accountId: string;
  readonly primaryEmail: string;
}

export interface RoleOfferRepository {
  /** The number of offers of an account, with expired ones that are not deleted yet. */
  count(accountId: string): Promise<number>;
  /** Stores the offer in place of an earlier one of the same account to the same address. */
  replace(offer: RoleOffer): Promise<void>;
  /** Deletes the account's offer to this address. */
  withdraw(accountId: string, recipient: Recipient): Promise<void>;
  list(recipient: Recipient, now: Date): Promise<RoleOffer[]>;
  /** The account's offers that have not been accepted, the newest first. */
  listOf(accountId: string, now: Date): Promise<RoleOffer[]>;
  /** Deletes an offer of the account. */
  delete(accountId: string, id: string): Promise<RoleOffer | undefined>;
  /** Hides the offer from the person; the account still sees it. Of concurrent calls only one gets the offer. */
  decline(recipient: Recipient, id: string, now: Date): Promise<RoleOffer | undefined>;
  /** Removes the offer and returns it. Of concurrent calls only one gets it. */
  take(recipient: Recipient, id: string, now: Date): Promise<RoleOffer | undefined>;
  /**
   * Migration: renews address keys that earlier releases folded differently, so that people see these offers again. Of two offers of an
   * account to one address, that under the present key stays, because it was made later.
   */
  renewKeys(): Promise<void>;
}

const schema = new Schema<RoleOfferDocument>(
  {
    _id: String,
    accountId: { type: String, required: true },
    homeAccountId: { type: String, required: true },
    emailKey: { type: String, required: true },
    primaryEmail: { type: String, required: true },
    roles: { type: [String], required: true },
    offeredBy: { type: Schema.Types.Mixed, required: true },
    declinedAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'role_offers', versionKey: false, writeConcern: durable },
);
schema.index({ homeAccountId: 1, emailKey: 1, accountId: 1 }, { unique: true });
schema.index({ accountId: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function createRoleOfferRepository(connection: Connection): RoleOfferRepository {
  const offers = connection.model<RoleOfferDocument>('RoleOffer', schema);
  const to = ({ accountId, primaryEmail }: Recipient) => ({
    homeAccountId: accountId,
    emailKey: emailKeyOf(primaryEmail),
  });
  const openFor = (recipient: Recipient, now: Date) => ({
    ...to(recipient),
    declinedAt: null,
    expiresAt: { $gt: now },
  });
  /** Conditional, because the offer may be replaced or deleted at the same time. */
  async function renewKey({
    _id,
    emailKey,
    primaryEmail,
  }: Pick<RoleOfferDocument, '_id' | 'emailKey' | 'primaryEmail'>): Promise<void> {
    const key = emailKeyOf(primaryEmail);
    if (key === emailKey) return;
    const stored = { _id, emailKey };
    const isFree = await unlessTaken(offers.updateOne(stored, { $set: { emailKey: key } }));
    if (!isFree) await offers.deleteOne(stored);
  }

  return {
    count: (accountId) =>
      readForCaller(connection, 'light', (options) => offers.countDocuments({ accountId }, options())),
    async replace({ id, ...fields }) {
      const { accountId, homeAccountId, primaryEmail } = fields;
      const key = { accountId, ...to({ accountId: homeAccountId, primaryEmail }) };
      await offers.updateOne(
        key,
        { $set: { ...fields, declinedAt: null }, $setOnInsert: { _id: id } },
        { upsert: true },
      );
    },
    async withdraw(accountId, recipient) {
      await offers.deleteOne({ accountId, ...to(recipient) });
    },
    async list(recipient, now) {
      const found = await offers.find(openFor(recipient, now)).sort({ accountId: 1 }).lean();
      return found.map(toRoleOffer);
    },
    async take(recipient, id, now) {
      const found = await offers.findOneAndDelete({ _id: id, ...openFor(recipient, now) }).lean();
      return found ? toRoleOffer(found) : undefined;
    },
    async decline(recipient, id, now) {
      const declined = { $set: { declinedAt: now } };
      const found = await offers.findOneAndUpdate({ _id: id, ...openFor(recipient, now) }, declined).lean();
      return found ? toRoleOffer(found) : undefined;
    },
    async listOf(accountId, now) {
      const found = await offers
        .find({ accountId, expiresAt: { $gt: now } })
        .limit(mostOffers)
        .lean();
      return found.map(toRoleOffer).sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
    },
    async delete(accountId, id) {
      const found = await offers.findOneAndDelete({ _id: id, accountId }).lean();
      return found ? toRoleOffer(found) : undefined;
    },
    async renewKeys() {
      // A full scan of few documents: no index tells which keys are outdated.
      for (let after = ''; ;) {
        const found = await offers
          .find({ _id: { $gt: after } }, { primaryEmail: 1, emailKey: 1 })
          .sort({ _id: 1 })
          .limit(1_000)
          .lean();
        for (const offer of found) await renewKey(offer);
        const last = found.at(-1);
        if (!last) return;
        after = last._id;
      }
    },
  };
}

const toRoleOffer = ({ _id: id, emailKey: _key, declinedAt: _at, ...fields }: RoleOfferDocument) => ({
  id,
  ...fields,
});

import type { Trust } from '@itsm/shared/contracts/directory';
import { createArraySource } from '@itsm/shared/api/rest/array-source';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { createMongoSource } from '@itsm/shared/api/rest/mongo-source';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import { outboxPaths, pushToOutbox } from '@itsm/shared/messages/outbox/outbox';
import { Schema } from 'mongoose';
import type { Connection, QueryFilter } from 'mongoose';
import { isDuplicateKey } from '@itsm/shared/stores/mongo/duplicate-key';
import { hasWords } from './listing';
import type { Account } from './account';

type AccountDocument = Omit<Account, 'id' | 'trusts' | 'secondFactorRequired'> & {
  readonly _id: string;
  readonly trusts?: readonly Trust[];
  readonly secondFactorRequired?: boolean;
};

/** Stores accounts, by id; each account is a tenant. */
export interface AccountRepository {
  find(accountId: string): Promise<Account | undefined>;
  findMany(accountIds: readonly string[]): Promise<Account[]>;
  /** The accounts whose directory account this is. */
  childrenOf(accountId: string): Promise<string[]>;
  /** Accounts that match `where`, with an id after `after` and before `before`, in order of id. */
  list(where: AccountConditions, slice: AccountSlice): Promise<Account[]>;
  /** Accounts that match `where` and whose name and id contain all `words`, as a source for order and filters. */
  source(where: AccountConditions, words: readonly string[]): Promise<CollectionSource<Account>>;
  /** Compare-and-set on the previous version; false after a concurrent save. */
  save(account: Account, messages: readonly OutboxEntry[], now: Date): Promise<boolean>;
}

export type AccountConditions = QueryFilter<AccountDocument>;

/** As `Slice` of connections, but by slug. */
export interface AccountSlice {
  readonly after: string | undefined;
  readonly before: string | undefined;
  readonly limit: number;
  readonly from: 'start' | 'end';
}

export const accountCollection = 'accounts';

const schema = new Schema<AccountDocument>(
  {
    _id: String,
    name: { type: String, required: true },
    customUrl: String,
    directoryAccountId: String,
    trusts: { type: [{ _id: false, accountId: String, as: String }], default: undefined },
    secondFactorRequired: Boolean,
    disabledAt: Date,
    enabledAt: Date,
    version: { type: Number, required: true },
    ...outboxPaths,
  },
  { collection: accountCollection, versionKey: false, writeConcern: durable },
);

schema.index({ directoryAccountId: 1 });

export function createAccountRepository(connection: Connection): AccountRepository {
  const accounts = connection.model<AccountDocument>('Account', schema);
  return {
    async find(accountId) {
      const found = await accounts.findById(accountId).lean();
      return found ? toAccount(found) : undefined;
    },
    async findMany(accountIds) {
      const named = { _id: { $in: [...accountIds] } };
      const found = await readForCaller(connection, 'light', (options) =>
        accounts.find(named).sort({ _id: 1 }).setOptions(options()).lean(),
      );
      return found.map(toAccount);
    },
    async childrenOf(accountId) {
      const found = await accounts.find({ directoryAccountId: accountId }, { _id: 1 }).sort({ _id: 1 }).lean();
      return found.map(({ _id }) => _id);
    },
    async list(where, { after, before, limit, from }) {
      const range = { ...(after !== undefined && { $gt: after }), ...(before !== undefined && { $lt: before }) };
      const found = await accounts
        .find({ $and: [where, Object.keys(range).length > 0 ? { _id: range } : {}] })
        .sort({ _id: from === 'start' ? 1 : -1 })
        .limit(limit)
        .lean();
      return (from === 'start' ? found : found.reverse()).map(toAccount);
    },
    async source(where, words) {
      if (words.length === 0) {
        const collection = connection.collection(accountCollection);
        return createMongoSource<AccountDocument, Account>({ collection, where, toRecord: toAccount });
      }
      const all = await readForCaller(connection, 'heavy', (options) =>
        accounts.find(where).setOptions(options()).lean(),
      );
      return createArraySource(all.map(toAccount).filter(({ id, name }) => hasWords(words, name, id)));
    },
    async save({ id, ...fields }, messages, now) {
      const change = { $set: fields, ...pushToOutbox(messages, now) };
      const first = fields.version === 1;
      try {
        const filter = { _id: id, version: fields.version - 1 };
        const { matchedCount, upsertedCount } = await accounts.updateOne(filter, change, { upsert: first });
        return matchedCount + upsertedCount > 0;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
  };
}

export const toAccount = (stored: AccountDocument): Account => ({
  id: stored._id,
  name: stored.name,
  customUrl: stored.customUrl ?? null,
  directoryAccountId: stored.directoryAccountId ?? null,
  trusts: stored.trusts ?? [],
  secondFactorRequired: stored.secondFactorRequired ?? false,
  disabledAt: stored.disabledAt ?? null,
  enabledAt: stored.enabledAt ?? null,
  version: stored.version,
});

import { createArraySource } from '@itsm/shared/api/rest/array-source';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { createMongoSource } from '@itsm/shared/api/rest/mongo-source';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import { outboxPaths, pushToOutbox } from '@itsm/shared/messages/outbox/outbox';
import { fromStored, storedPaths, toStored } from '@itsm/shared/declared/stored';
import { Schema } from 'mongoose';
import type { Connection, QueryFilter } from 'mongoose';
import { isDuplicateKey } from '@itsm/shared/stores/mongo/duplicate-key';
import { hasWords } from './listing';
import { accountType } from './account';
import type { Account } from './account';

/** Beside these members a document has the declared fields. */
type AccountDocument = Pick<Account, 'name' | 'version'> &
  Partial<Pick<Account, 'directoryAccountId' | 'enabledAt' | 'trusts'>> & { readonly _id: string };

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
    ...storedPaths(accountType),
    directoryAccountId: String,
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
    async save(account, messages, now) {
      const { id, directoryAccountId, enabledAt, version } = account;
      const fields = { ...toStored(accountType, account), directoryAccountId, enabledAt, version };
      const change = { $set: fields, ...pushToOutbox(messages, now) };
      const first = version === 1;
      try {
        const filter = { _id: id, version: version - 1 };
        const { matchedCount, upsertedCount } = await accounts.updateOne(filter, change, { upsert: first });
        return matchedCount + upsertedCount > 0;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
  };
}

/** The account of a document, also of an earlier release. */
export const toAccount = (document: AccountDocument): Account => ({
  id: document._id,
  ...fromStored(accountType, document),
  directoryAccountId: document.directoryAccountId ?? null,
  enabledAt: document.enabledAt ?? null,
  version: document.version,
});

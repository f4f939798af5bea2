import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { isDuplicateKey, unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import { createSequence } from '@itsm/shared/stores/mongo/sequence';
import { outboxPaths, pushToOutbox, withOutbox } from '@itsm/shared/messages/outbox/outbox';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { createMongoSource } from '@itsm/shared/api/rest/mongo-source';
import type { AuditLine } from '../webhooks/audit-line';
import { careAt } from './key-schedule';
import { policyType } from './policy';
import type { Policy } from './policy';
import { fromStored, storedName, storedPaths, toStored } from '@itsm/shared/declared/stored';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';

export const policiesCollection = 'webhook_policies';

/** Written atomically with a change: the outbox message that announces it, and its audit line. */
export interface Accompaniment {
  readonly message: OutboxEntry;
  readonly line: AuditLine | undefined;
}

/** `taken`: another policy of the account has the name. `stale`: a concurrent change came first (optimistic concurrency). */
export type Written = 'written' | 'taken' | 'stale';

export interface PolicyRepository {
  ensureIndexes(): Promise<void>;
  nextId(): Promise<number>;
  insert(policy: Policy, accompaniment: Accompaniment): Promise<Written>;
  find(accountId: string, id: number): Promise<Policy | undefined>;
  findByName(accountId: string, name: string): Promise<Policy | undefined>;
  listing(accountId: string): CollectionSource<Policy>;
  /** The names of the account's policies by id. */
  names(accountId: string): Promise<ReadonlyMap<number, string>>;
  /** Compare-and-set on the version before `after`'s. */
  replace(after: Policy, accompaniment: Accompaniment, now: Date): Promise<Written>;
  /** Leaves a tombstone without keys, which carries the outbox message; a TTL index removes it later. */
  remove(after: Policy, message: OutboxEntry, now: Date): Promise<Written>;
  /** Oldest first; empty when there is no such policy. */
  findAudit(accountId: string, id: number): Promise<readonly AuditLine[]>;
  /** Policies of any account whose `careAt` has come. */
  findDue(now: Date, most: number): Promise<readonly Policy[]>;
}

/** Beside these members a document has the declared fields. */
export interface PolicyDocument extends Pick<
  Policy,
  'accountId' | 'name' | 'disabled' | 'keys' | 'createdAt' | 'updatedAt'
> {
  _id: number;
  revision: number;
  careAt: Date | null;
  audit: AuditLine[];
  deletedAt?: Date;
  outbox?: OutboxEntry[];
  outboxAt?: Date;
}

const schema = new Schema<PolicyDocument>(
  {
    _id: { type: Number, required: true },
    accountId: { type: String, required: true },
    ...storedPaths(policyType),
    keys: { type: [Schema.Types.Mixed], required: true } as never,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    revision: { type: Number, required: true },
    careAt: { type: Date, default: null },
    audit: { type: [Schema.Types.Mixed], default: [] } as never,
    deletedAt: { type: Date, default: undefined },
    ...outboxPaths,
  },
  { collection: policiesCollection, versionKey: false, autoIndex: false, autoCreate: false, writeConcern: durable },
);

const tombstoneSeconds = 30 * 24 * 60 * 60;
const linesKept = 500;

export function createPolicyRepository(connection: Connection): PolicyRepository {
  const model = connection.model<PolicyDocument>('WebhookPolicy', schema);
  const sequence = createSequence(connection);
  const live = { deletedAt: { $exists: false } } as const;
  const whole = { outbox: 0, audit: 0 } as const;
  const found = (document: Parameters<typeof toPolicy>[0] | null) => (document ? toPolicy(document) : undefined);

  async function write(after: Policy, change: object): Promise<Written> {
    const { id, accountId, version } = after;
    try {
      const before = { _id: id, accountId, revision: version - 1, ...live };
      const { matchedCount } = await model.updateOne(before, change);
      return matchedCount > 0 ? 'written' : 'stale';
    } catch (error) {
      if (isDuplicateKey(error)) return 'taken';
      throw error;
    }
  }

  return {
    async ensureIndexes() {
      const policies = connection.collection(policiesCollection);
      await ensureIndex(policies, { accountId: 1, name: 1 }, { unique: true });
      await ensureIndex(policies, { careAt: 1 });
      await ensureIndex(policies, { deletedAt: 1 }, { expireAfterSeconds: tombstoneSeconds });
    },
    nextId: () => sequence.next('WebhookPolicy'),
    async insert(policy, { message, line }) {
      const document = { _id: policy.id, ...membersOf(policy), audit: line ? [line] : [] };
      const write = model.create({ ...document, ...withOutbox([message], policy.createdAt) });
      return (await unlessTaken(write)) ? 'written' : 'taken';
    },
    find: async (accountId, id) => found(await model.findOne({ _id: id, accountId, ...live }, whole).lean()),
    findByName: async (accountId, name) => found(await model.findOne({ accountId, name, ...live }, whole).lean()),
    listing: (accountId) =>
      createMongoSource<PolicyDocument, Policy>({
        collection: connection.collection(policiesCollection),
        where: { accountId, ...live },
        toRecord: toPolicy,
        project: () => whole,
        storedName: (property) => storedName(policyType, property),
      }),
    async names(accountId) {
      const named = await readForCaller(connection, 'light', (options) =>
        model
          .find({ accountId, ...live }, { name: 1 })
          .setOptions(options())
          .lean(),
      );
      return new Map(named.map(({ _id, name }) => [_id, name]));
    },
    replace(after, { message, line }, now) {
      const { $push, $min } = pushToOutbox([message], now);
      const audit = line && { audit: { $each: [line], $slice: -linesKept } };
      return write(after, { $set: membersOf(after), $push: { ...$push, ...audit }, $min });
    },
    remove({ id, ...after }, message, now) {
      // Frees the name. Names from people have no colon, so this one cannot collide.
      const tombstone = { deletedAt: now, name: `deleted:${id}`, keys: [], careAt: null, revision: after.version };
      return write({ id, ...after }, { $set: tombstone, ...pushToOutbox([message], now) });
    },
    async findAudit(accountId, id) {
      const document = await model.findOne({ _id: id, accountId, ...live }, { audit: 1 }).lean();
      return document?.audit ?? [];
    },
    async findDue(now, most) {
      const due = await model
        .find({ careAt: { $lte: now }, ...live }, whole)
        .limit(most)
        .lean();
      return due.map(toPolicy);
    },
  };
}

/** The members of a document that a policy determines. */
const membersOf = (policy: Policy) => {
  const { accountId, keys, createdAt, updatedAt, version } = policy;
  const fields = toStored(policyType, policy);
  return { accountId, ...fields, keys, createdAt, updatedAt, revision: version, careAt: careAt(policy) };
};

function toPolicy(document: Omit<PolicyDocument, 'audit' | 'outbox'>): Policy {
  const { _id, accountId, keys, createdAt, updatedAt, revision: version } = document;
  return { id: _id, accountId, ...fromStored(policyType, document), keys, createdAt, updatedAt, version };
}

import type { Slice } from '@itsm/shared/api/graphql/connections';
import { createGroupInsert } from '@itsm/shared/stores/mongo/group-insert';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { Schema } from 'mongoose';
import type { Connection, QueryFilter } from 'mongoose';
import { asText } from '@itsm/shared/stores/mongo/partial-index';
import { unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import type { AuditEvent } from './audit-event';
import { keptMilliseconds } from './audit-entry';
import type { AuditRecord } from './audit-entry';

interface AuditDocument extends Omit<AuditRecord, 'id' | 'once'> {
  readonly _id: number;
  readonly once?: string;
  /** The affected person and the actor, for the index; ids of people are unique over all accounts. */
  readonly people: readonly number[];
  readonly expiresAt: Date;
}

/** Filter of the log. */
export interface AuditFilter {
  readonly events?: readonly AuditEvent[] | undefined;
  /** Only entries that involve each of these people. */
  readonly people?: readonly number[];
}

/** An append-only log. Entries cannot be changed or deleted; a TTL index removes them after a year. */
export interface AuditRepository {
  /** False when an entry with the same `once` or id exists. */
  append(record: AuditRecord): Promise<boolean>;
  /** `once` is a digest that holds the account. */
  hasOnce(once: string): Promise<boolean>;
  list(accountId: string, filter: AuditFilter, slice: Slice): Promise<AuditRecord[]>;
  count(accountId: string, filter: AuditFilter): Promise<number>;
  /** Entries about or by a person, in any account. */
  listOwn(accountId: string, personId: number, filter: AuditFilter, slice: Slice): Promise<AuditRecord[]>;
  find(accountId: string, id: number): Promise<AuditRecord | undefined>;
}

const named = new Schema(
  { accountId: { type: String, required: true }, id: { type: Number, required: true }, name: String },
  { _id: false, id: false },
);
const schema = new Schema<AuditDocument>(
  {
    _id: Number,
    accountIds: { type: [String], required: true },
    people: { type: [Number], required: true },
    event: { type: String, required: true },
    at: { type: Date, required: true },
    person: { type: named, default: null },
    application: { type: named, default: null },
    actor: { type: named, default: null },
    clientId: { type: String, default: null },
    ip: { type: String, default: null },
    userAgent: { type: String, default: null },
    requestId: { type: String, default: null },
    facts: { type: Schema.Types.Mixed, default: {} },
    once: String,
    expiresAt: { type: Date, required: true },
  },
  { collection: 'security_log', versionKey: false, minimize: false, writeConcern: durable },
);
schema.index({ accountIds: 1, _id: 1 });
schema.index({ accountIds: 1, event: 1, _id: 1 });
schema.index({ people: 1, _id: 1 });
schema.index({ once: 1 }, { unique: true, partialFilterExpression: { once: { $type: 'string' } } });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function createAuditRepository(connection: Connection): AuditRepository {
  const entries = connection.model<AuditDocument>('SecurityLogEntry', schema);
  const log = connection.collection<AuditDocument>('security_log');
  const add = createGroupInsert(log);

  async function read(
    filter: QueryFilter<AuditDocument>,
    { after, before, limit, from }: Slice,
  ): Promise<AuditRecord[]> {
    const range = { ...(after !== undefined && { $gt: after }), ...(before !== undefined && { $lt: before }) };
    const bounds = Object.keys(range).length > 0 ? { _id: range } : {};
    const found = await entries
      .find({ ...filter, ...bounds })
      .sort({ _id: from === 'start' ? 1 : -1 })
      .limit(limit)
      .lean();
    return (from === 'start' ? found : found.reverse()).map(toRecord);
  }

  return {
    async append({ id, once, ...fields }) {
      const people = [fields.person, fields.actor].flatMap((person) => (person ? [person.id] : []));
      const expiresAt = new Date(fields.at.getTime() + keptMilliseconds);
      const derived = { _id: id, people: [...new Set(people)], expiresAt };
      return unlessTaken(add({ ...fields, ...derived, ...(once !== null && { once }) }));
    },
    hasOnce: async (once) => (await entries.exists({ once: asText(once) })) !== null,
    list: (accountId, filter, slice) => read({ accountIds: accountId, ...conditions(filter) }, slice),
    count: (accountId, filter) => entries.countDocuments({ accountIds: accountId, ...conditions(filter) }),
    listOwn(accountId, personId, { events }, slice) {
      const parts = [{ 'person.accountId': accountId }, { 'actor.accountId': accountId }];
      return read({ ...conditions({ events, people: [personId] }), $or: parts }, slice);
    },
    async find(accountId, id) {
      const found = await entries.findOne({ _id: id, accountIds: accountId }).lean();
      return found ? toRecord(found) : undefined;
    },
  };
}

const conditions = ({ events, people = [] }: AuditFilter): QueryFilter<AuditDocument> => ({
  ...(events && { event: { $in: [...events] } }),
  ...(people.length > 0 && { people: { $all: [...people] } }),
});

const toRecord = (stored: AuditDocument): AuditRecord => ({
  id: stored._id,
  accountIds: stored.accountIds,
  event: stored.event,
  at: stored.at,
  person: stored.person,
  application: stored.application,
  clientId: stored.clientId,
  actor: stored.actor,
  ip: stored.ip,
  userAgent: stored.userAgent,
  requestId: stored.requestId,
  facts: stored.facts,
  once: stored.once ?? null,
});

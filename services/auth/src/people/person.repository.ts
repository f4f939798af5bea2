import type { Slice } from '@itsm/shared/graphql/connections';
import { durable } from '@itsm/shared/mongo/connect-mongo';
import { narrow } from '@itsm/shared/mongo/narrow';
import { asText } from '@itsm/shared/mongo/partial-index';
import type { OutboxEntry } from '@itsm/shared/outbox/outbox';
import { outboxPaths, pushToOutbox } from '@itsm/shared/outbox/outbox';
import type { CollectionSource } from '@itsm/shared/rest/collection-source';
import { createMongoSource } from '@itsm/shared/rest/mongo-source';
import { Schema } from 'mongoose';
import type { Connection, mongo, QueryFilter } from 'mongoose';
import { isDuplicateKey } from '@itsm/shared/mongo/duplicate-key';
import { emailKeyOf } from './person';
import type { Person } from './person';
import type { PersonFilter } from './person-filter';
import { toConditions } from './person-filter';

interface PersonDocument extends Omit<Person, 'id'> {
  readonly _id: number;
  readonly emailKey: string;
  /** The accounts of `roles`, for look-ups. */
  readonly accountIds: readonly string[];
}

/** People somebody who works in `accountId` can see: of that account, of its directory account, or with roles in it. */
export interface Visibility {
  readonly accountId: string;
  readonly directoryAccountId: string | null;
}

export interface PersonRepository {
  find(accountId: string, id: number): Promise<Person | undefined>;
  findByEmail(accountId: string, email: string): Promise<Person | undefined>;
  /** By the identity provider's name for them, compared exactly. */
  findByAuthenticationId(accountId: string, authenticationId: string): Promise<Person | undefined>;
  findVisible(visibility: Visibility, ids: readonly number[]): Promise<Person[]>;
  list(visibility: Visibility, filter: PersonFilter, slice: Slice): Promise<Person[]>;
  count(visibility: Visibility, filter: PersonFilter): Promise<number>;
  /** Before sign-in the account is not known yet: the first account with somebody of this address. */
  findAnywhereByEmail(email: string): Promise<Person | undefined>;
  /** The operator names people by id alone. */
  findAnywhere(id: number): Promise<Person | undefined>;
  /** Whether anybody but these administers the account. */
  hasOtherAdministrator(accountId: string, exceptIds: readonly number[]): Promise<boolean>;
  /** Those who administer the account and are not disabled; a hundred at most. */
  listAdministrators(accountId: string): Promise<Person[]>;
  /** The accounts that the people with a role in this one belong to. */
  homesOf(accountId: string): Promise<string[]>;
  /** As a REST collection. */
  source(visibility: Visibility): CollectionSource<Person>;
  /** Everybody in ascending order of id, for the operator. */
  listEverybody(afterId: number, limit: number): Promise<Person[]>;
  /** Writes `person` as the successor of the version before it; false when another save was faster. */
  save(person: Person, told: readonly OutboxEntry[], now: Date): Promise<boolean>;
}

export const personCollection = 'people';

const schema = new Schema<PersonDocument>(
  {
    _id: Number,
    accountId: { type: String, required: true },
    name: { type: String, required: true },
    primaryEmail: { type: String, required: true },
    emailKey: { type: String, required: true },
    authenticationId: String,
    source: String,
    sourceID: String,
    roles: { type: Schema.Types.Mixed, required: true },
    accountIds: { type: [String], required: true },
    locale: { type: String, required: true },
    timeZone: { type: String, required: true },
    disabledAt: Date,
    enabledAt: Date,
    createdAt: Date,
    updatedAt: Date,
    password: Schema.Types.Mixed,
    version: { type: Number, required: true },
    ...outboxPaths,
  },
  { collection: personCollection, versionKey: false, minimize: false, writeConcern: durable },
);
schema.index({ accountId: 1, emailKey: 1 }, { unique: true });
schema.index(
  { accountId: 1, authenticationId: 1 },
  { unique: true, partialFilterExpression: { authenticationId: { $type: 'string' } } },
);
schema.index({ emailKey: 1 });
// Whom an account sees: who has roles in it, and who belongs to its directory account.
for (const side of ['accountIds', 'accountId']) {
  schema.index({ [side]: 1, _id: 1 });
  for (const property of ['name', 'sourceID', 'createdAt', 'updatedAt'])
    schema.index({ [side]: 1, [property]: 1, _id: 1 });
}
schema.index({ accountIds: 1, accountId: 1 });

/** Reads of all people of an account. */
export const unbounded = {
  hasOtherAdministrator: 'asked when somebody stops administering an account',
  listAdministrators: 'asked when an account is warned of a theft',
};

export function createPersonRepository(connection: Connection): PersonRepository {
  const people = connection.model<PersonDocument>('Person', schema);
  // What is looked for is typed already; to cast it again would take longer than the rest of the read.
  const collection = connection.collection<PersonDocument>(personCollection);
  const first = async (filter: mongo.Filter<PersonDocument>): Promise<Person | undefined> => {
    const found = await collection.findOne(filter, { sort: { _id: 1 } });
    return found ? toPerson(found) : undefined;
  };
  const matching = (visibility: Visibility, filter: PersonFilter, bounds: readonly object[] = []) =>
    narrow(visible(visibility), [...toConditions(filter), ...bounds] as QueryFilter<PersonDocument>[]);
  return {
    find: (accountId, id) => first({ _id: id, accountId }),
    findByEmail: (accountId, email) => first({ accountId, emailKey: emailKeyOf(email) }),
    findByAuthenticationId: (accountId, authenticationId) =>
      first({ accountId, authenticationId: asText(authenticationId) }),
    findAnywhereByEmail: (email) => first({ emailKey: emailKeyOf(email) }),
    findAnywhere: (id) => first({ _id: id }),
    async findVisible(visibility, ids) {
      const found = await people.find({ _id: { $in: ids }, ...visible(visibility) }).lean();
      return found.map(toPerson);
    },
    async list(visibility, filter, { after, before, limit, from }) {
      const range = { ...(after !== undefined && { $gt: after }), ...(before !== undefined && { $lt: before }) };
      const bounds = Object.keys(range).length > 0 ? [{ _id: range }] : [];
      const found = await people
        .find(matching(visibility, filter, bounds))
        .sort({ _id: from === 'start' ? 1 : -1 })
        .limit(limit)
        .lean();
      const ordered = from === 'start' ? found : found.reverse();
      return ordered.map(toPerson);
    },
    count: (visibility, filter) => people.countDocuments(matching(visibility, filter)),
    async hasOtherAdministrator(accountId, exceptIds) {
      const found = await people.exists({
        accountIds: accountId,
        [`roles.${accountId}`]: 'account_administrator',
        disabledAt: null,
        _id: { $nin: [...exceptIds] },
      });
      return found !== null;
    },
    async listAdministrators(accountId) {
      const found = await people
        .find({ accountIds: accountId, [`roles.${accountId}`]: 'account_administrator', disabledAt: null })
        .sort({ _id: 1 })
        .limit(100)
        .lean();
      return found.map(toPerson);
    },
    async homesOf(accountId) {
      const homes: string[] = [];
      // From one home to the next: there are few, however many people live there.
      for (;;) {
        const beyond = { accountIds: accountId, accountId: { $gt: homes.at(-1) ?? '' } };
        const next = await collection.findOne(beyond, { sort: { accountId: 1 }, projection: { accountId: 1 } });
        if (!next) return homes;
        homes.push(next.accountId);
      }
    },
    source: (visibility) =>
      createMongoSource<PersonDocument, Person>({
        collection: connection.collection(personCollection),
        where: visible(visibility),
        toRecord: toPerson,
      }),
    async listEverybody(afterId, limit) {
      const found = await people
        .find({ _id: { $gt: afterId } })
        .sort({ _id: 1 })
        .limit(limit)
        .lean();
      return found.map(toPerson);
    },
    async save({ id, ...fields }, told, now) {
      const derived = { emailKey: emailKeyOf(fields.primaryEmail), accountIds: Object.keys(fields.roles) };
      const change = { $set: { ...fields, ...derived }, ...pushToOutbox(told, now) };
      try {
        const filter = { _id: id, version: fields.version - 1 };
        const result = await people.updateOne(filter, change, { upsert: fields.version === 1 });
        return result.matchedCount + result.upsertedCount > 0;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
  };
}

const visible = ({ accountId, directoryAccountId }: Visibility): QueryFilter<PersonDocument> =>
  directoryAccountId === null
    ? { accountIds: accountId }
    : { $or: [{ accountIds: accountId }, { accountId: directoryAccountId }] };

export const toPerson = (stored: PersonDocument): Person => ({
  id: stored._id,
  accountId: stored.accountId,
  name: stored.name,
  primaryEmail: stored.primaryEmail,
  authenticationId: stored.authenticationId ?? null,
  source: stored.source ?? null,
  sourceID: stored.sourceID ?? null,
  roles: stored.roles,
  locale: stored.locale,
  timeZone: stored.timeZone,
  disabledAt: stored.disabledAt ?? null,
  enabledAt: stored.enabledAt ?? null,
  password: stored.password ?? null,
  createdAt: stored.createdAt,
  updatedAt: stored.updatedAt,
  version: stored.version,
});

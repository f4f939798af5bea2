import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { asText } from '@itsm/shared/stores/mongo/partial-index';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import { outboxPaths, pushToOutbox } from '@itsm/shared/messages/outbox/outbox';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import type { Condition } from '@itsm/shared/api/rest/filter';
import { createMongoSource } from '@itsm/shared/api/rest/mongo-source';
import { Schema } from 'mongoose';
import type { Connection, mongo, QueryFilter } from 'mongoose';
import { isDuplicateKey } from '@itsm/shared/stores/mongo/duplicate-key';
import { emailKeyOf } from './person';
import type { Person } from './person';
import { whenDisabled } from './listing';
import { wordsOf } from '@itsm/shared/base/texts/words';

interface PersonDocument extends Omit<Person, 'id' | 'verified'> {
  readonly _id: number;
  /** Absent in documents of an earlier release, where every address counts as verified. */
  readonly verified?: boolean;
  readonly emailKey: string;
  /** The accounts of `roles`, for look-ups. */
  readonly accountIds: readonly string[];
  /** Each word of name and address behind each of these accounts: `wdc ellen`. Absent in what an earlier release wrote. */
  readonly search?: readonly string[];
}

/** The people that are visible in `accountId`: of that account, of its directory account, or with roles in it. */
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
  /** People of all accounts with this verified address, the oldest `most`. Before sign-in the account is not known yet. */
  listByEmail(email: string, most: number): Promise<Person[]>;
  /** The operator names people by id alone. */
  findAnywhere(id: number): Promise<Person | undefined>;
  /** Whether the account has other administrators than these. */
  hasOtherAdministrator(accountId: string, exceptIds: readonly number[]): Promise<boolean>;
  /** Those who administer the account and are not disabled; a hundred at most. */
  listAdministrators(accountId: string): Promise<Person[]>;
  /** The accounts that the people with a role in this one belong to. */
  homesOf(accountId: string): Promise<string[]>;
  /** Those the account sees, and in whose name and address all of `words` occur. */
  source(visibility: Visibility, words?: readonly string[]): CollectionSource<Person>;
  /** Makes the people that an earlier release wrote be found by words; answers how many they were. */
  completeSearch(): Promise<number>;
  /** Rewrites the keys of addresses that an earlier release folded differently; returns how many. */
  renewEmailKeys(): Promise<number>;
  /** All people in ascending order of id, for the operator. */
  listEverybody(afterId: number, limit: number): Promise<Person[]>;
  /** Writes `person` as the successor of the version before it; false when another save was faster. */
  save(person: Person, messages: readonly OutboxEntry[], now: Date): Promise<boolean>;
}

export const personCollection = 'people';

const schema = new Schema<PersonDocument>(
  {
    _id: Number,
    accountId: { type: String, required: true },
    name: { type: String, required: true },
    primaryEmail: { type: String, required: true },
    emailKey: { type: String, required: true },
    verified: Boolean,
    authenticationId: String,
    source: String,
    sourceID: String,
    roles: { type: Schema.Types.Mixed, required: true },
    accountIds: { type: [String], required: true },
    search: { type: [String], default: undefined },
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
schema.index({ emailKey: 1, _id: 1 });
schema.index({ accountIds: 1, _id: 1 });
for (const property of ['name', 'primaryEmail', 'source', 'sourceID', 'disabledAt', 'createdAt', 'updatedAt']) {
  schema.index({ accountIds: 1, [property]: 1, _id: 1 });
}
schema.index({ search: 1, _id: 1 });
schema.index({ accountIds: 1, accountId: 1 });

/** Reads of all people of an account. */
export const unbounded = {
  hasOtherAdministrator: 'asked when an administrator loses the role',
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
  /** False when the address was changed meanwhile, or another person of the account has taken it: that person keeps it. */
  async function renewKey(_id: number, primaryEmail: string, emailKey: string): Promise<boolean> {
    try {
      const { modifiedCount } = await people.updateOne({ _id, primaryEmail }, { $set: { emailKey } });
      return modifiedCount > 0;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
  return {
    find: (accountId, id) => first({ _id: id, accountId }),
    findByEmail: (accountId, email) => first({ accountId, emailKey: emailKeyOf(email) }),
    findByAuthenticationId: (accountId, authenticationId) =>
      first({ accountId, authenticationId: asText(authenticationId) }),
    async listByEmail(email, most) {
      const found = collection.find({ emailKey: emailKeyOf(email), ...verified }, { sort: { _id: 1 }, limit: most });
      return (await found.toArray()).map(toPerson);
    },
    findAnywhere: (id) => first({ _id: id }),
    async findVisible(visibility, ids) {
      const found = await people.find({ _id: { $in: ids }, ...visible(visibility) }).lean();
      return found.map(toPerson);
    },
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
    source(visibility, words = []) {
      const stored = createMongoSource<PersonDocument, Person>({
        collection: connection.collection(personCollection),
        where: words.length > 0 ? withWords(visibility, words) : visible(visibility),
        toRecord: toPerson,
      });
      return {
        read: ({ filter = [], ...query }) => stored.read({ ...query, filter: filter.map(toStored) }),
        count: (filter = []) => stored.count(filter.map(toStored)),
      };
    },
    async completeSearch() {
      let completed = 0;
      for (;;) {
        const found = await people
          .find({ search: null }, { name: 1, primaryEmail: 1, accountIds: 1 })
          .sort({ _id: 1 })
          .limit(200)
          .lean();
        if (found.length === 0) return completed;
        for (const { _id, ...person } of found) {
          // A concurrent save of the person writes it as well.
          await people.updateOne({ _id, search: null }, { $set: { search: searchOf(person) } });
        }
        completed += found.length;
      }
    },
    async renewEmailKeys() {
      let renewed = 0;
      // Reads all people: no index finds the old keys, and a process of the earlier release may still write some.
      for (let after = 0; ;) {
        const found = await collection
          .find(
            { _id: { $gt: after } },
            { projection: { primaryEmail: 1, emailKey: 1 }, sort: { _id: 1 }, limit: 1_000 },
          )
          .toArray();
        for (const { _id, primaryEmail, emailKey } of found) {
          const key = emailKeyOf(primaryEmail);
          if (key !== emailKey && (await renewKey(_id, primaryEmail, key))) renewed += 1;
        }
        const last = found.at(-1);
        if (!last) return renewed;
        after = last._id;
      }
    },
    async listEverybody(afterId, limit) {
      const found = await people
        .find({ _id: { $gt: afterId } })
        .sort({ _id: 1 })
        .limit(limit)
        .lean();
      return found.map(toPerson);
    },
    async save({ id, ...fields }, messages, now) {
      const accountIds = Object.keys(fields.roles);
      const search = searchOf({ ...fields, accountIds });
      const derived = { emailKey: emailKeyOf(fields.primaryEmail), accountIds, search };
      const change = { $set: { ...fields, ...derived }, ...pushToOutbox(messages, now) };
      try {
        const filter = { _id: id, accountId: fields.accountId, version: fields.version - 1 };
        const result = await people.updateOne(filter, change, { upsert: fields.version === 1 });
        return result.matchedCount + result.upsertedCount > 0;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
  };
}

const verified = { verified: { $ne: false } };

/** The own account is among those of the roles, so that one side of an index serves both. */
const visible = ({ accountId, directoryAccountId: directory }: Visibility): QueryFilter<PersonDocument> =>
  directory === null
    ? { accountIds: accountId }
    : { $or: [{ accountIds: accountId }, { accountIds: directory, accountId: directory }] };

function withWords({ accountId, directoryAccountId: directory }: Visibility, words: readonly string[]) {
  const behind = (account: string) => ({ search: { $all: words.map((word) => `${account} ${word}`) } });
  if (directory === null) return behind(accountId);
  return { $or: [behind(accountId), { ...behind(directory), accountId: directory }] };
}

const searchOf = ({
  name,
  primaryEmail,
  accountIds,
}: Pick<PersonDocument, 'name' | 'primaryEmail' | 'accountIds'>): string[] => {
  const words = wordsOf(`${name} ${primaryEmail}`);
  return accountIds.flatMap((account) => words.map((word) => `${account} ${word}`));
};

/** Addresses are compared without regard to case. */
function toStored(condition: Condition): Condition {
  if (condition.property === 'disabled') return whenDisabled(condition);
  if (condition.property !== 'primaryEmail') return condition;
  const property = 'emailKey';
  const keys = (values: readonly unknown[]) =>
    values.map((value) => (typeof value === 'string' ? emailKeyOf(value) : null));
  if ('in' in condition) return { property, in: keys(condition.in) };
  return 'notIn' in condition ? { property, notIn: keys(condition.notIn) } : condition;
}

/** What an earlier release did not write is null. */
export function toPerson({ _id: id, ...stored }: PersonDocument): Person {
  const { accountId, name, primaryEmail, verified = true, roles } = stored;
  const { authenticationId = null, source = null, sourceID = null } = stored;
  const { locale, timeZone, disabledAt = null, enabledAt = null, password = null } = stored;
  const { createdAt, updatedAt, version } = stored;
  const named = {
    id,
    accountId,
    name,
    primaryEmail,
    verified,
    authenticationId,
    source,
    sourceID,
    roles,
    locale,
    timeZone,
  };
  return { ...named, disabledAt, enabledAt, password, createdAt, updatedAt, version };
}

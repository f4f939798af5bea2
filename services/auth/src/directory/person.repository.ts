import { isDeepStrictEqual } from 'node:util';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { asText } from '@itsm/shared/stores/mongo/partial-index';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import { pushToOutbox } from '@itsm/shared/messages/outbox/outbox';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import type { Condition } from '@itsm/shared/api/rest/filter';
import { createMongoSource } from '@itsm/shared/api/rest/mongo-source';
import type { Connection, mongo, QueryFilter } from 'mongoose';
import { isDuplicateKey } from '@itsm/shared/stores/mongo/duplicate-key';
import { administeredBy, emailKeyOf } from './person';
import type { Person } from './person';
import { derivedOf, personCollection, personSchema, searchOf, toPerson } from './person.document';
import type { PersonDocument } from './person.document';
import { whenDisabled } from './listing';

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
  /** Writes keys of addresses that an earlier release folded in another way, and who administers what; answers for how many. */
  renewDerived(): Promise<number>;
  /** Everybody in ascending order of id, for the operator. */
  listEverybody(afterId: number, limit: number): Promise<Person[]>;
  /** Writes `person` as the successor of the version before it; false when another save was faster. */
  save(person: Person, messages: readonly OutboxEntry[], now: Date): Promise<boolean>;
}

export function createPersonRepository(connection: Connection): PersonRepository {
  const people = connection.model<PersonDocument>('Person', personSchema);
  // What is looked for is typed already; to cast it again would take longer than the rest of the read.
  const collection = connection.collection<PersonDocument>(personCollection);
  const first = async (filter: mongo.Filter<PersonDocument>): Promise<Person | undefined> => {
    const found = await collection.findOne(filter, { sort: { _id: 1 } });
    return found ? toPerson(found) : undefined;
  };
  /** False where the address was changed meanwhile, or somebody else of the account has it by now: theirs it stays. */
  async function renewKey({ _id, primaryEmail, emailKey }: PersonDocument): Promise<boolean> {
    const key = emailKeyOf(primaryEmail);
    if (key === emailKey) return false;
    try {
      const { modifiedCount } = await people.updateOne({ _id, primaryEmail }, { $set: { emailKey: key } });
      return modifiedCount > 0;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
  /** False where the person was saved meanwhile: who saves writes it as well. */
  async function renewAdministers({ _id, version, ...person }: PersonDocument): Promise<boolean> {
    const administers = administeredBy(person);
    if (isDeepStrictEqual(administers, person.administers)) return false;
    return (await people.updateOne({ _id, version }, { $set: { administers } })).modifiedCount > 0;
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
      const named = { _id: { $in: ids }, ...visible(visibility) };
      const found = await readForCaller(connection, 'light', (options) =>
        people.find(named).setOptions(options()).lean(),
      );
      return found.map(toPerson);
    },
    async hasOtherAdministrator(accountId, exceptIds) {
      const others = { ...administrators(accountId), _id: { $nin: [...exceptIds] } };
      return (await people.exists(others)) !== null;
    },
    async listAdministrators(accountId) {
      const found = await people.find(administrators(accountId)).sort({ _id: 1 }).limit(100).lean();
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
    async renewDerived() {
      let renewed = 0;
      const projection = { primaryEmail: 1, emailKey: 1, roles: 1, disabledAt: 1, administers: 1, version: 1 } as const;
      // All of them, for no index says whose are outdated; a process of the earlier release may also still have written some.
      for (let after = 0; ;) {
        const found = await collection
          .find({ _id: { $gt: after } }, { projection, sort: { _id: 1 }, limit: 1_000 })
          .toArray();
        for (const person of found) {
          const renewals = [await renewKey(person), await renewAdministers(person)];
          if (renewals.includes(true)) renewed += 1;
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
      const change = { $set: { ...fields, ...derivedOf(fields) }, ...pushToOutbox(messages, now) };
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

/** The roles decide as well: a process of an earlier release that took one away left `administers` as it was. */
const administrators = (accountId: string): QueryFilter<PersonDocument> => ({
  administers: accountId,
  [`roles.${accountId}`]: 'account_administrator',
  disabledAt: null,
});

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

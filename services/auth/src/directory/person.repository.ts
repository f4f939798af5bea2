import { isBeginning } from '@itsm/shared/base/texts/words';
import { isDeepStrictEqual } from 'node:util';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { asOneOfTexts, asText } from '@itsm/shared/stores/mongo/partial-index';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import { pushToOutbox, withOutbox } from '@itsm/shared/messages/outbox/outbox';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import type { Condition } from '@itsm/shared/api/rest/filter';
import { createMongoSource } from '@itsm/shared/api/rest/mongo-source';
import type { Connection, mongo, QueryFilter } from 'mongoose';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { isDuplicateKey } from '@itsm/shared/stores/mongo/duplicate-key';
import { createGroupInsert } from '@itsm/shared/stores/mongo/group-insert';
import { toStored as storedForm } from '@itsm/shared/declared/stored';
import { administeredBy, emailKeyOf, personType } from './person';
import type { Person } from './person';
import { derivedOf, personCollection, personSchema, searchOf, toPerson } from './person.document';
import type { PersonDocument } from './person.document';
import { whenDisabled } from './listing';

/** Selects the people visible in `accountId`: of that account, of its directory account, or with roles in it. */
export interface Visibility {
  readonly accountId: string;
  readonly directoryAccountId: string | null;
}

/** What several people are looked up by at once. */
export type Among =
  | { readonly ids: readonly number[] }
  | { readonly emails: readonly string[] }
  | { readonly authenticationIds: readonly string[] }
  | { readonly source: string; readonly sourceIDs: readonly string[] };

export interface PersonRepository {
  find(accountId: string, id: number): Promise<Person | undefined>;
  findByEmail(accountId: string, email: string): Promise<Person | undefined>;
  /** By authentication ID, compared exactly. */
  findByAuthenticationId(accountId: string, authenticationId: string): Promise<Person | undefined>;
  /** People of the account itself who have this source and source ID; two at most, as they need not be unique. */
  findBySource(accountId: string, source: string, sourceID: string): Promise<readonly Person[]>;
  /** People of the account itself, in ascending order of id; for several `find…` in one command. */
  findAmong(accountId: string, among: Among): Promise<readonly Person[]>;
  findVisible(visibility: Visibility, ids: readonly number[]): Promise<Person[]>;
  /** People of all accounts with this verified address, the oldest `most`. Not limited to an account, which is unknown before sign-in. */
  listByEmail(email: string, most: number): Promise<Person[]>;
  /** By id only, for the operator. */
  findAnywhere(id: number): Promise<Person | undefined>;
  /** Whether the account has enabled administrators other than these. */
  hasOtherAdministrator(accountId: string, exceptIds: readonly number[]): Promise<boolean>;
  /** Enabled administrators of the account, a hundred at most. */
  listAdministrators(accountId: string): Promise<Person[]>;
  /** The home accounts of all people with a role in this account. */
  homesOf(accountId: string): Promise<string[]>;
  /** Visible people whose name and address contain all `words`, as a source for order and filters. */
  source(visibility: Visibility, words?: readonly string[]): CollectionSource<Person>;
  /** Migration: adds search terms to people stored by earlier releases; returns how many. */
  completeSearch(): Promise<number>;
  /** Migration: renews address keys that earlier releases folded differently, and `administers`; returns for how many people. */
  renewDerived(): Promise<number>;
  /** People of all accounts in ascending order of id, for the backfill. */
  listEverybody(afterId: number, limit: number): Promise<Person[]>;
  /** Compare-and-set on the previous version; false after a concurrent save. New people of one moment share a command. */
  save(person: Person, messages: readonly OutboxEntry[], now: Date): Promise<boolean>;
}

export function createPersonRepository(connection: Connection): PersonRepository {
  const people = connection.model<PersonDocument>('Person', personSchema);
  // Bypasses Mongoose: its casting would take longer than the rest of the read, and the values are typed already.
  const collection = connection.collection<PersonDocument>(personCollection);
  const insert = createGroupInsert(collection);
  const first = async (filter: mongo.Filter<PersonDocument>): Promise<Person | undefined> => {
    const found = await collection.findOne(filter, { sort: { _id: 1 } });
    return found ? toPerson(found) : undefined;
  };
  /** False after a concurrent change of the address, or when another person of the account has the key, who then keeps it. */
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
  /** False after a concurrent save, which writes the member itself. */
  async function renewAdministers({ _id, version, ...person }: PersonDocument): Promise<boolean> {
    const administers = administeredBy({ ...person, disabledAt: person.disabledAt ?? null });
    if (isDeepStrictEqual(administers, person.administers)) return false;
    return (await people.updateOne({ _id, version }, { $set: { administers } })).modifiedCount > 0;
  }
  /** False after a concurrent save, which writes the words itself. */
  async function renewSearch({ _id, version, ...person }: PersonDocument): Promise<boolean> {
    const search = searchOf(person);
    if (isDeepStrictEqual(search, person.search)) return false;
    return (await people.updateOne({ _id, version }, { $set: { search } })).modifiedCount > 0;
  }
  return {
    find: (accountId, id) => first({ _id: id, accountId }),
    findByEmail: (accountId, email) => first({ accountId, emailKey: emailKeyOf(email) }),
    findByAuthenticationId: (accountId, authenticationId) =>
      first({ accountId, authenticationId: asText(authenticationId) }),
    async findBySource(accountId, source, sourceID) {
      const found = collection.find(
        { accountIds: accountId, accountId, source, sourceID },
        { sort: { _id: 1 }, limit: 2 },
      );
      return (await found.toArray()).map(toPerson);
    },
    async findAmong(accountId, among) {
      const found = collection.find(inAccount(accountId, among), { sort: { _id: 1 } });
      return (await found.toArray()).map(toPerson);
    },
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
      // Skip scan: one index seek per home account, since there are few, however many people they have.
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
          // Conditional, because a concurrent save writes it itself.
          await people.updateOne({ _id, search: null }, { $set: { search: searchOf(person) } });
        }
        completed += found.length;
      }
    },
    async renewDerived() {
      let renewed = 0;
      const projection = { outbox: 0 } as const;
      // A full scan: no index tells which are outdated, and a process of the earlier release may still be writing.
      for (let after = 0; ;) {
        const found = await collection
          .find({ _id: { $gt: after } }, { projection, sort: { _id: 1 }, limit: 1_000 })
          .toArray();
        for (const person of found) {
          const renewals = [await renewKey(person), await renewAdministers(person), await renewSearch(person)];
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
    async save(person, messages, now) {
      const { id, accountId, roles, enabledAt, password, createdAt, updatedAt, version } = person;
      const beside = { accountId, roles, enabledAt, password, createdAt, updatedAt, version };
      const fields = { ...(storedForm(personType, person) as unknown as Stored), ...beside, ...derivedOf(person) };
      try {
        if (version === 1) {
          await insert({ _id: id, ...fields, ...withOutbox(messages, now) });
          return true;
        }
        const filter = { _id: id, accountId, version: version - 1 };
        const change = { $set: fields, ...pushToOutbox(messages, now) };
        const { matchedCount } = await collection.updateOne(filter, change, { writeConcern: durable });
        return matchedCount > 0;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
  };
}

type Stored = Omit<PersonDocument, '_id'>;

function inAccount(accountId: string, among: Among): mongo.Filter<PersonDocument> {
  if ('ids' in among) return { _id: { $in: [...among.ids] }, accountId };
  if ('emails' in among) return { accountId, emailKey: { $in: among.emails.map(emailKeyOf) } };
  if ('authenticationIds' in among) return { accountId, authenticationId: asOneOfTexts(among.authenticationIds) };
  const { source, sourceIDs } = among;
  return { accountIds: accountId, accountId, source, sourceID: { $in: [...sourceIDs] } };
}

/** Checks the roles too: a process of an earlier release that removed a role did not update `administers`. */
const administrators = (accountId: string): QueryFilter<PersonDocument> => ({
  administers: accountId,
  [`roles.${accountId}`]: 'account_administrator',
  disabledAt: null,
});

const verified = { verified: { $ne: false } };

/** The home account is among the keys of `roles`, so one index serves both cases. */
const visible = ({ accountId, directoryAccountId: directory }: Visibility): QueryFilter<PersonDocument> =>
  directory === null
    ? { accountIds: accountId }
    : { $or: [{ accountIds: accountId }, { accountIds: directory, accountId: directory }] };

const beginning = (account: string, word: string): RegExp | string =>
  isBeginning(word) ? new RegExp(`^${account} ${word}`) : `${account} ${word}`;

function withWords({ accountId, directoryAccountId: directory }: Visibility, words: readonly string[]) {
  const behind = (account: string) => ({ $and: words.map((word) => ({ search: beginning(account, word) })) });
  if (directory === null) return behind(accountId);
  return { $or: [behind(accountId), { ...behind(directory), accountId: directory }] };
}

/** Converts a condition on an address to its key, since addresses are compared case-insensitively. */
function toStored(condition: Condition): Condition {
  if (condition.property === 'disabled') return whenDisabled(condition);
  if (condition.property !== 'primaryEmail') return condition;
  const property = 'emailKey';
  const keys = (values: readonly unknown[]) =>
    values.map((value) => (typeof value === 'string' ? emailKeyOf(value) : null));
  if ('in' in condition) return { property, in: keys(condition.in) };
  return 'notIn' in condition ? { property, notIn: keys(condition.notIn) } : condition;
}

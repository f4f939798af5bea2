import type { AccountSaved, PersonSaved, Trust } from '@itsm/shared/contracts/directory';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { readTime } from '@itsm/shared/base/time/time-text';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { createNewerSaver, saveNewer } from '@itsm/shared/stores/mongo/save-newer';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import { isPartner } from './directory';
import type { KnownAccount, KnownPerson } from './directory';

/** The projection (read model) of people and accounts, which auth owns. */
export interface DirectoryRepository {
  /** Idempotent; an older version never overwrites a newer one. */
  savePerson(person: PersonSaved): Promise<void>;
  saveAccount(account: AccountSaved): Promise<void>;
  findPeople(ids: readonly number[]): Promise<readonly KnownPerson[]>;
  findAccounts(ids: readonly string[]): Promise<readonly KnownAccount[]>;
  /** The accounts in mutual trust with `accountId`, each with its role towards it. */
  findPartners(accountId: string): Promise<readonly Partner[]>;
}

export interface Partner {
  readonly id: string;
  readonly as: Trust['as'];
}

type StoredPerson = Omit<Stored<PersonSaved>, 'createdAt' | 'updatedAt'> & Times;

interface Times {
  readonly createdAt?: Date;
  readonly updatedAt?: Date;
}

type Stored<T extends { id: unknown }> = Omit<T, 'id'> & { _id: T['id'] };

const options = { versionKey: false, id: false, minimize: false, strict: 'throw', writeConcern: durable } as const;

const personSchema = new Schema(
  {
    _id: Number,
    accountId: String,
    name: String,
    primaryEmail: String,
    sourceID: String,
    roles: Schema.Types.Mixed,
    disabled: Boolean,
    version: Number,
    locale: String,
    timeZone: String,
    verified: Boolean,
    authenticationID: String,
    source: String,
    createdAt: Date,
    updatedAt: Date,
  },
  options,
) as unknown as Schema<StoredPerson>;

const accountSchema = new Schema(
  {
    _id: String,
    name: String,
    customUrl: String,
    directoryAccountId: String,
    trusts: Schema.Types.Mixed,
    disabled: Boolean,
    version: Number,
  },
  options,
) as unknown as Schema<Stored<AccountSaved>>;

export const peopleCollection = 'people';

export function createDirectoryRepository(connection: Connection): DirectoryRepository {
  const people = connection.model<StoredPerson>('Person', personSchema, peopleCollection);
  const accounts = connection.model<Stored<AccountSaved>>('Account', accountSchema, 'accounts');
  // An earlier release has stored people without some of their members.
  const save = createNewerSaver(connection, peopleCollection, 'updatedAt');
  const findAccounts: DirectoryRepository['findAccounts'] = (ids) =>
    readForCaller(connection, 'light', async (options) =>
      (
        await accounts
          .find({ _id: { $in: [...ids] } })
          .setOptions(options())
          .lean()
      ).map(withId),
    );

  return {
    async savePerson({ createdAt, updatedAt, ...said }) {
      const times = {
        ...(createdAt && { createdAt: readTime(createdAt) }),
        ...(updatedAt && { updatedAt: readTime(updatedAt) }),
      };
      await save({ ...said, ...times });
    },
    saveAccount: (account) => saveNewer(connection, accounts.collection.name, account),
    async findPeople(ids) {
      const found = await readForCaller(connection, 'light', (options) =>
        people
          .find({ _id: { $in: [...ids] } })
          .setOptions(options())
          .lean(),
      );
      return found.map(withId);
    },
    findAccounts,
    async findPartners(accountId) {
      const [account] = await findAccounts([accountId]);
      const trusts = account?.trusts ?? [];
      if (!account || trusts.length === 0) return [];
      const others = await findAccounts(trusts.map((trust) => trust.accountId));
      return others.flatMap((other) =>
        (['provider', 'customer'] as const).flatMap((as) =>
          isPartner(account, other, as) ? [{ id: other.id, as }] : [],
        ),
      );
    },
  };
}

const withId = <I, T extends object>({ _id, ...rest }: T & { readonly _id: I }) => ({ id: _id, ...rest });

import type { Connection } from 'mongoose';
import type { AccountSaved, PersonSaved } from '@itsm/shared/contracts/directory';
import { createNewerSaver, saveNewer } from '@itsm/shared/stores/mongo/save-newer';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';

/** The members of an account that deliveries depend on. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly customUrl: string | null;
  readonly disabled: boolean;
}

/** This service's copy of accounts and people, ordered by version: an older message never overwrites a newer one. */
export interface DirectoryRepository {
  ensureIndexes(): Promise<void>;
  saveAccount(account: AccountSaved): Promise<void>;
  savePerson(person: PersonSaved): Promise<void>;
  findAccount(accountId: string): Promise<Account | undefined>;
  /** The known accounts by id, in one read. */
  findAccounts(accountIds: readonly string[]): Promise<ReadonlyMap<string, Account>>;
  /**
   * False only for a known person who does not administer the account, or is disabled. A person not known yet passes:
   * the copy may lag behind.
   */
  mayAdminister(accountId: string, personId: number): Promise<boolean>;
  /** E-mail addresses of the account's enabled administrators. */
  findAdministratorAddresses(accountId: string): Promise<readonly string[]>;
}

type AccountDocument = Omit<AccountSaved, 'id'> & { readonly _id: string };

interface PersonDocument {
  readonly _id: number;
  readonly version: number;
  readonly primaryEmail: string;
  /** The accounts in which the person is an account administrator; none for a disabled person. */
  readonly administers: readonly string[];
}

export function createDirectoryRepository(connection: Connection): DirectoryRepository {
  const accounts = connection.collection<AccountDocument>('accounts');
  const people = connection.collection<PersonDocument>('people');
  const save = createNewerSaver(connection, 'people');
  return {
    async ensureIndexes() {
      await ensureIndex(people, { administers: 1 });
    },
    saveAccount: (account) => saveNewer(connection, 'accounts', account),
    savePerson: ({ id, version, primaryEmail, roles, disabled }) => {
      const administers = Object.keys(roles).filter((accountId) => roles[accountId]?.includes('account_administrator'));
      const projection = { id, version, primaryEmail, administers: disabled ? [] : administers };
      return save(projection);
    },
    async findAccount(accountId) {
      const account = await accounts.findOne({ _id: accountId });
      return account ? toAccount(account) : undefined;
    },
    async findAccounts(accountIds) {
      const found = await accounts.find({ _id: { $in: [...accountIds] } }).toArray();
      return new Map(found.map((account) => [account._id, toAccount(account)]));
    },
    async mayAdminister(accountId, personId) {
      const person = await people.findOne({ _id: personId }, { projection: { administers: 1 } });
      return person?.administers.includes(accountId) ?? true;
    },
    async findAdministratorAddresses(accountId) {
      const found = await people.find({ administers: accountId }, { projection: { primaryEmail: 1 } }).toArray();
      return [...new Set(found.map(({ primaryEmail }) => primaryEmail))];
    },
  };
}

const toAccount = ({ _id: id, name, customUrl, disabled }: AccountDocument): Account => ({
  id,
  name,
  customUrl,
  disabled,
});

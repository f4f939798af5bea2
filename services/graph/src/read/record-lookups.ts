import type { KnownForm } from '../forms/form';
import type { FormRepository } from '../forms/form.repository';
import { isPartner, mayBeNamed } from '../directory/directory';
import type { KnownAccount, KnownPerson } from '../directory/directory';
import type { DirectoryRepository, Partner } from '../directory/directory.repository';
import { byId, createLoader } from './record-loader';
import type { Loader } from './record-loader';
import type { ItsmRecord } from '../record-types/record';
import { everything, readable } from '../store/record-selection';
import type { RecordType } from '../record-types/record-type';
import type { RecordFile, RecordFilesRepository } from '../store/record-files.repository';
import type { RecordRepository } from '../store/record.repository';

type TypeName = RecordType['name'];

/** Resolves the references in records of one account; lookups are batched and cached. */
export interface Lookups {
  readonly accountId: string;
  readonly people: Loader<number, KnownPerson>;
  readonly accounts: Loader<string, KnownAccount>;
  /** The forms of the account's UI extensions. */
  readonly forms: Loader<number, KnownForm>;
  /** A person, if auth shows them to this account. */
  seenPerson(id: number): Promise<KnownPerson | undefined>;
  /** An account, if auth shows it to this account. */
  seenAccount(id: string): Promise<KnownAccount | undefined>;
  records(typeName: TypeName): Loader<number, ItsmRecord>;
  /** The files of the texts of records. */
  files(typeName: TypeName): Loader<number, readonly RecordFile[]>;
  partners(): Promise<readonly Partner[]>;
}

/** Opens lookups for one unit of work; they cache, so later changes are not seen. */
export type OpenLookups = (accountId: string) => Lookups;

export const createLookups =
  (
    directory: DirectoryRepository,
    forms: FormRepository,
    repositoryOf: (typeName: TypeName) => RecordRepository,
    recordFiles: RecordFilesRepository,
  ): OpenLookups =>
  (accountId) => {
    const records = new Map<TypeName, Loader<number, ItsmRecord>>();
    const files = new Map<TypeName, Loader<number, readonly RecordFile[]>>();
    let partners: Promise<readonly Partner[]> | undefined;
    const people = createLoader(async (ids: readonly number[]) => byId(await directory.findPeople(ids)));
    const accounts = createLoader(async (ids: readonly string[]) => byId(await directory.findAccounts(ids)));
    return {
      accountId,
      people,
      accounts,
      forms: createLoader(async (ids: readonly number[]) => byId(await forms.find(accountId, ids))),
      async seenPerson(id) {
        const person = await people.load(id);
        if (!person || person.accountId === accountId) return person;
        return mayBeNamed(person, accountId, await accounts.load(accountId)) ? person : undefined;
      },
      async seenAccount(id) {
        const [own, other] = await Promise.all([accounts.load(accountId), accounts.load(id)]);
        if (!own || !other || id === accountId) return other;
        const isRelated = own.directoryAccountId === id || other.directoryAccountId === accountId;
        return isRelated || isPartner(own, other, 'provider') || isPartner(own, other, 'customer') ? other : undefined;
      },
      records(typeName) {
        const loader =
          records.get(typeName) ??
          createLoader(async (ids: readonly number[]) =>
            byId(await repositoryOf(typeName).findMany(accountId, ids, { ...everything, states: readable })),
          );
        records.set(typeName, loader);
        return loader;
      },
      files(typeName) {
        const { plural } = repositoryOf(typeName).type;
        const loader =
          files.get(typeName) ?? createLoader((ids: readonly number[]) => recordFiles.find(accountId, plural, ids));
        files.set(typeName, loader);
        return loader;
      },
      partners: () => (partners ??= directory.findPartners(accountId)),
    };
  };

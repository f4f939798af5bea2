import type { KnownAccount, KnownPerson } from '../directory/directory';
import type { DirectoryRepository, Partner } from '../directory/directory.repository';
import { byId, createLoader } from './record-loader';
import type { Loader } from './record-loader';
import type { ItsmRecord } from '../record-types/record';
import { everything } from '../store/record-selection';
import type { RecordType } from '../record-types/record-type';
import type { RecordRepository } from '../store/record.repository';

type TypeName = RecordType['name'];

/** What stands behind the ids in the records of one account; each is read once, and together with what is asked for beside it. */
export interface Lookups {
  readonly accountId: string;
  readonly people: Loader<number, KnownPerson>;
  readonly accounts: Loader<string, KnownAccount>;
  records(typeName: TypeName): Loader<number, ItsmRecord>;
  partners(): Promise<readonly Partner[]>;
}

/** For one piece of work: what changes afterwards is not seen. */
export type OpenLookups = (accountId: string) => Lookups;

export const createLookups =
  (directory: DirectoryRepository, repositoryOf: (typeName: TypeName) => RecordRepository): OpenLookups =>
  (accountId) => {
    const records = new Map<TypeName, Loader<number, ItsmRecord>>();
    let partners: Promise<readonly Partner[]> | undefined;
    return {
      accountId,
      people: createLoader(async (ids: readonly number[]) => byId(await directory.findPeople(ids))),
      accounts: createLoader(async (ids: readonly string[]) => byId(await directory.findAccounts(ids))),
      records(typeName) {
        const loader =
          records.get(typeName) ??
          createLoader(async (ids: readonly number[]) =>
            byId(await repositoryOf(typeName).findMany(accountId, ids, everything)),
          );
        records.set(typeName, loader);
        return loader;
      },
      partners: () => (partners ??= directory.findPartners(accountId)),
    };
  };

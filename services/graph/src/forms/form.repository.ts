import type { ExtensionActivated } from '@itsm/shared/contracts/ui-extensions';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { saveNewer } from '@itsm/shared/stores/mongo/save-newer';
import type { Connection } from 'mongoose';
import type { KnownForm } from './form';

/** The projection (read model) of the forms of UI extensions, which ui-extensions owns. */
export interface FormRepository {
  /** Idempotent; an older version never overwrites a newer one. */
  save(extension: ExtensionActivated): Promise<void>;
  /** Those of the account; another account's are as unknown ones. */
  find(accountId: string, ids: readonly number[]): Promise<readonly KnownForm[]>;
}

type Stored = Omit<ExtensionActivated, 'id'> & { readonly _id: number };

export function createFormRepository(connection: Connection): FormRepository {
  const forms = connection.collection<Stored>('forms');
  return {
    save: (extension) => saveNewer(connection, forms.collectionName, extension),
    async find(accountId, ids) {
      const found = await readForCaller(connection, 'light', (options) =>
        forms.find({ _id: { $in: [...ids] }, accountId }, options()).toArray(),
      );
      return found.map(({ _id, ...form }) => ({ id: _id, ...form }));
    },
  };
}

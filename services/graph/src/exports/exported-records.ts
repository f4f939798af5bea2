import { checkAllowed } from '@itsm/shared/api/identity/allow';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { modelName } from '../record-types/record-type';
import type { RecordType } from '../record-types/record-type';
import type { ReaderOf } from '../read/record-reader';
import type { Place } from '../store/record-page';
import type { RecordRepository } from '../store/record.repository';
import type { Export } from './export';
import { createExportRows } from './export-rows';
import { rowsAtOnce } from './exported-type';
import type { ExportedType } from './exported-type';

interface Dependencies {
  readonly repositoryOf: (typeName: RecordType['name']) => RecordRepository;
  readonly readerOf: ReaderOf;
}

/** The records of a type that the caller sees in the list: those of the account that are active. */
export function createExportedRecords(type: RecordType, { repositoryOf, readerOf }: Dependencies): ExportedType {
  const repository = repositoryOf(type.name);

  /** Without those that partners share. */
  async function selectionOf(caller: Caller, { from, at }: Pick<Export, 'from' | 'at'>) {
    const selection = await readerOf({ caller }).view(type, 'current_account');
    const changed = { property: 'updatedAt', within: { gte: from ?? at, lt: at } };
    return from ? { ...selection, conditions: [...selection.conditions, changed] } : selection;
  }

  return {
    name: type.name,
    plural: type.plural,
    check: async (caller) => checkAllowed(caller, `${modelName(type)}:Read`),
    async hasChanges(caller, range) {
      const order = [{ field: 'updatedAt', property: 'updatedAt', descending: false }];
      const selection = await selectionOf(caller, range);
      const [first] = await repository.list(caller.accountId, selection, { order, limit: 1 });
      return first !== undefined;
    },
    head: (caller) => createExportRows(type, caller).head,
    async *lines(caller, range, read) {
      const { lines } = createExportRows(type, caller);
      const selection = await read(() => selectionOf(caller, range));
      // Of the number, or of a time before the end of the range.
      const isByTime = range.from !== null;
      const properties = isByTime ? ['updatedAt', 'id'] : ['id'];
      const order = properties.map((property) => ({ field: property, property, descending: false }));
      let start: Place | undefined;
      for (;;) {
        const stretch = { order, start, limit: rowsAtOnce };
        const records = await read(() => repository.list(caller.accountId, selection, stretch));
        if (records.length > 0) yield lines(records);
        const last = records.at(-1);
        if (!last || records.length < rowsAtOnce) return;
        start = isByTime ? [last.updatedAt, last.id] : [last.id];
      }
    },
  };
}

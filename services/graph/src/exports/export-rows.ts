import { isAllowed } from '@itsm/shared/contracts/scopes';
import { modelOf } from '@itsm/shared/contracts/record-kinds';
import { readsPeople } from '@itsm/shared/api/identity/allow';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import type { Field } from '@itsm/shared/declared/language';
import { idsIn } from '@itsm/shared/declared/values';
import { lineOf } from './csv-line';
import { flat } from '../record-types/record';
import type { FlatRecord, ItsmRecord } from '../record-types/record';
import type { RecordType } from '../record-types/record-type';
import { fileColumns } from '@itsm/shared/declared/file-columns';
import type { FileColumn } from '@itsm/shared/declared/file-columns';

/** Whether lists show the caller what the field refers to. A cell without it would empty the field when imported. */
function isSeen(caller: Caller, field: Field | undefined): boolean {
  if (field?.kind === 'person' || field?.kind === 'people') return readsPeople(caller);
  if (field?.kind !== 'record' && field?.kind !== 'reference') return true;
  return isAllowed(caller.scopes, `${modelOf(field.to.name)}:Read`, caller.accountId);
}

/** Writes records as lines of a CSV file (RFC 4180), of the columns whose values the caller may see. */
export function createExportRows(type: RecordType, caller: Caller) {
  const columns = fileColumns(type).filter(({ field }) => isSeen(caller, field));
  return {
    head: lineOf(columns.map(({ header }) => header)),
    lines: (records: readonly ItsmRecord[]): string =>
      records
        .map(flat)
        .map((record) => lineOf(columns.map((column) => cellOf(column, record))))
        .join(''),
  };
}

const ofRecord: Readonly<Record<string, (record: FlatRecord) => string>> = {
  id: ({ id }) => String(id),
  created_at: ({ createdAt }) => presentTime(createdAt) ?? '',
  updated_at: ({ updatedAt }) => presentTime(updatedAt) ?? '',
};

/** The value as an import reads it. */
function cellOf({ name, field }: FileColumn<Field>, record: FlatRecord): string {
  if (!field) return ofRecord[name]?.(record) ?? '';
  const value = record[field.name] ?? null;
  if (value === null) return '';
  if (value instanceof Date) {
    const time = presentTime(value) ?? '';
    return field.kind === 'date' ? time.slice(0, 10) : time;
  }
  if (typeof value !== 'object') return String(value);
  return field.kind === 'custom' ? JSON.stringify(value) : idsIn(record, field.name).join('\n');
}

import type { Caller } from '@itsm/shared/api/identity/caller';
import type { ImportColumns, ImportRow, RowOutcome } from '@itsm/shared/declared/file-rows';
import type { RecordType } from '../record-types/record-type';

/** Reserved numbers: row `n` creates record `record + n`, and likewise its audit line and note. */
export interface ReservedNumbers {
  readonly record: number;
  readonly auditLine: number;
  readonly note: number;
  /** The number of rows they suffice for. */
  readonly rows: number;
}

/** The numbers of an import; new ones when absent. A dry run has none, and writes nothing. */
export type ImportNumbers = ReservedNumbers | 'dry run' | undefined;

/** Creates and updates records in bulk, without events but with audit lines. */
export interface RecordImporter {
  columnsOf(typeName: RecordType['name']): ImportColumns;
  /** Throws a 403 for a caller who may not create and update records of the type. */
  check(typeName: RecordType['name'], caller: Caller): void;
  /** Reserves numbers for that many rows. */
  reserve(typeName: RecordType['name'], rows: number): Promise<ReservedNumbers>;
  /**
   * Upserts by `id` (integer or node id), else by `source` and `sourceID`, else creates. Returns one outcome per row,
   * in row order; a refused row does not stop the others. Pass some hundred rows at a time. Idempotent: the same rows
   * with the same reserved numbers can be imported again after a crash without duplicates.
   */
  importRows(
    typeName: RecordType['name'],
    accountId: string,
    caller: Caller,
    rows: readonly ImportRow[],
    how?: ImportNumbers,
  ): Promise<readonly RowOutcome[]>;
}

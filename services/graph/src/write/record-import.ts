import type { Caller } from '@itsm/shared/api/identity/caller';
import type { FileColumn } from './file-columns';
import type { ValidationError } from './record.input';
import type { RecordType } from '../record-types/record-type';

/** One row of an import: the text of each cell by column name; an empty cell clears the field. */
export type ImportRow = Readonly<Record<string, string>>;

/** The outcome of one row; `path` of an error is the column. */
export type RowOutcome =
  { readonly outcome: 'created' | 'updated' | 'unchanged' } | { readonly errors: readonly ValidationError[] };

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

/** The columns that the files of a type may have. */
export interface ImportColumns {
  /** `id`, `subject`, `team_id`, `source`, `sourceID`, …. */
  readonly names: readonly string[];
  /** The column with a header; undefined for none of the type. */
  find(header: string): FileColumn | undefined;
}

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

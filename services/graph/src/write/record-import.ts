import type { Caller } from '@itsm/shared/api/identity/caller';
import type { ValidationError } from './record.input';
import type { RecordType } from '../record-types/record-type';

/** One line of an import: the text of each cell by column name; an empty cell empties the field. */
export type ImportRow = Readonly<Record<string, string>>;

/** What became of one line; `path` of an error is the column, or the field as GraphQL names it. */
export type RowOutcome =
  { readonly outcome: 'created' | 'updated' | 'unchanged' } | { readonly errors: readonly ValidationError[] };

/** The numbers that rows take, each of its own: row `n` makes record `record + n`, with what it leaves behind. */
export interface ReservedNumbers {
  readonly record: number;
  readonly auditLine: number;
  readonly note: number;
  /** For so many rows. */
  readonly rows: number;
}

/** Makes and changes many records at once, without events but with audit lines. */
export interface RecordImporter {
  /** The columns that a type knows: `id`, `subject`, `team_id`, `source`, `sourceID`, …. */
  columnsOf(typeName: RecordType['name']): readonly string[];
  /** Throws a 403 for a caller who may not create and update records of the type. */
  check(typeName: RecordType['name'], caller: Caller): void;
  /** Draws numbers for so many rows. */
  reserve(typeName: RecordType['name'], rows: number): Promise<ReservedNumbers>;
  /**
   * Upserts by `id` (integer or node id), else by `source` and `sourceID`, else creates. One outcome per row, in the order of
   * the rows; a refused row does not keep the others back. Meant for some hundred rows at a time. The same rows with the same
   * `reserved` numbers may be imported again when it is not known how far they came: nothing is made twice.
   */
  importRows(
    typeName: RecordType['name'],
    accountId: string,
    caller: Caller,
    rows: readonly ImportRow[],
    reserved?: ReservedNumbers,
  ): Promise<readonly RowOutcome[]>;
}

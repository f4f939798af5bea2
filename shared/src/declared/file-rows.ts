import type { FileRow, ImportFailure, ImportResults } from '../contracts/imports';
import type { FileColumn } from './file-columns';

/** One row of an import: the text of each cell by column name; an empty cell clears the field. */
export type ImportRow = Readonly<Record<string, string>>;

/** A refused value; `path` begins with the name of its column. */
export interface RowError {
  readonly message: string;
  readonly path: readonly string[];
}

/** The outcome of one row. */
export type RowOutcome =
  { readonly outcome: 'created' | 'updated' | 'unchanged' } | { readonly errors: readonly RowError[] };

/** The columns that the files of a type may have. */
export interface ImportColumns {
  /** `id`, `subject`, `team_id`, `source`, `sourceID`, …. */
  readonly names: readonly string[];
  /** The column with a header; undefined for none of the type. */
  find(header: string): Pick<FileColumn, 'name' | 'isShownOnly'> | undefined;
}

/** A column of a file: the header as the file has it, and the name of what it means; undefined for what is passed over. */
interface HeaderColumn {
  readonly header: string;
  readonly name: string | undefined;
}

/** The columns of a file, in file order. */
export type Header = readonly HeaderColumn[];

/** What the cells of the first row name, or the reason why the file cannot be imported. */
export function readHeaders(cells: readonly string[], known: ImportColumns): Header | { readonly problem: string } {
  const headers = cells.map((cell) => cell.trim());
  const found = headers.map((header) => ({ header, column: known.find(header) }));
  const unknown = found.filter(({ column }) => column === undefined);
  if (unknown.length > 0) {
    const list = unknown.slice(0, 20).map(({ header }) => header.slice(0, 100));
    return { problem: `Unknown columns: ${list.join(', ')}. Known are: ${known.names.join(', ')}` };
  }
  const columns = found.map(({ header, column }) => ({ header, name: column?.isShownOnly ? undefined : column?.name }));
  const doubled = columns.find(({ name }, index) => name !== undefined && nameAt(columns, name) !== index);
  return doubled === undefined ? columns : { problem: `The column ${doubled.header} is there twice` };
}

const nameAt = (columns: Header, wanted: string): number => columns.findIndex(({ name }) => name === wanted);

/** A row that fits the header. */
export interface FittingRow {
  readonly line: number;
  readonly row: ImportRow;
}

/** What became of some rows. */
export interface RowResults {
  readonly results: ImportResults;
  readonly failures: readonly ImportFailure[];
}

export const noResults: ImportResults = { created: 0, updated: 0, unchanged: 0, failures: 0 };

/** Has the rows written that fit the header, one outcome each; failed rows are reported with line and column. */
export async function importFileRows(
  header: Header,
  rows: readonly FileRow[],
  write: (fitting: readonly FittingRow[]) => Promise<readonly RowOutcome[]>,
): Promise<RowResults> {
  const failures: ImportFailure[] = [];
  const fitting: FittingRow[] = [];
  for (const fileRow of rows) {
    const row = toImportRow(header, fileRow);
    if (typeof row === 'string') failures.push({ line: fileRow.line, column: null, message: row });
    else fitting.push({ line: fileRow.line, row });
  }
  const outcomes = fitting.length === 0 ? [] : await write(fitting);
  const results = { ...noResults };
  for (const [index, outcome] of outcomes.entries()) {
    if ('outcome' in outcome) results[outcome.outcome] += 1;
    else failures.push(toFailure(header, fitting[index]!.line, outcome.errors));
  }
  failures.sort((a, b) => a.line - b.line);
  return { results: { ...results, failures: failures.length }, failures };
}

/** Names the column as the file does; one that the file does not have by its own name. */
function toFailure(header: Header, line: number, errors: readonly RowError[]): ImportFailure {
  const message = errors.map((error) => error.message).join('; ');
  const path = errors[0]?.path ?? [];
  const name = path.join('.');
  const column =
    header.find((one) => one.name === name) ??
    header.find((one) => one.name === path[0] || one.name?.startsWith(`${path[0]}.`));
  return { line, column: (column?.header ?? name) || null, message };
}

/** The cells by column, or the reason why the row does not match the header. */
function toImportRow(header: Header, row: FileRow): ImportRow | string {
  if ('problem' in row) return row.problem;
  if (row.cells.length !== header.length) {
    return `The line has ${row.cells.length} cells, but there are ${header.length} columns`;
  }
  return Object.fromEntries(
    header.flatMap(({ name }, index) => (name === undefined ? [] : [[name, row.cells[index]!] as const])),
  );
}

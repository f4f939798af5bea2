import type { ImportColumns, ImportRow, RecordImporter, RowOutcome } from '../write/record-import';
import { BrokenFileError } from './csv-rows';
import type { CsvRow } from './csv-rows';
import { noResults } from './import';
import type { Import, ImportFailure, ImportResults } from './import';

/** A row that is not blank. */
type FilledRow = Exclude<CsvRow, { readonly blank: number }>;

/** Rows that are imported together, the blank ones that stand among them, and the last line of them all. */
export interface Batch {
  readonly rows: readonly FilledRow[];
  readonly blank: number;
  readonly line: number;
}

const rowsAtOnce = 500;

/** The rows after `line`, in batches. */
export async function* inBatches(rows: AsyncIterable<CsvRow>, line: number): AsyncGenerator<Batch, undefined> {
  let filled: FilledRow[] = [];
  let blank = 0;
  let last = line;
  for await (const row of rows) {
    if (row.line <= line) continue;
    last = row.line;
    if ('blank' in row) blank += row.blank;
    else filled.push(row);
    if (filled.length < rowsAtOnce) continue;
    yield { rows: filled, blank, line: last };
    filled = [];
    blank = 0;
  }
  if (filled.length > 0 || blank > 0) yield { rows: filled, blank, line: last };
  return undefined;
}

/** The result of a batch of rows. */
export interface BatchResult {
  readonly results: ImportResults;
  readonly failures: readonly ImportFailure[];
}

/** Imports a batch of rows; failed rows are reported with line and column. */
export async function importBatch(
  importer: RecordImporter,
  { type, accountId, caller, isDryRun, reserved }: Import,
  header: Header,
  { rows }: Batch,
): Promise<BatchResult> {
  const failures: ImportFailure[] = [];
  const fitting: { readonly line: number; readonly row: ImportRow }[] = [];
  for (const csvRow of rows) {
    const row = toImportRow(header, csvRow);
    if (typeof row === 'string') failures.push({ line: csvRow.line, column: null, message: row });
    else fitting.push({ line: csvRow.line, row });
  }
  const importable = fitting.map(({ row }) => row);
  const how = isDryRun ? 'dry run' : (reserved ?? undefined);
  const outcomes = importable.length === 0 ? [] : await importer.importRows(type, accountId, caller, importable, how);
  const results = { ...noResults };
  for (const [index, outcome] of outcomes.entries()) {
    if ('outcome' in outcome) results[outcome.outcome] += 1;
    else failures.push(toFailure(header, fitting[index]!.line, outcome));
  }
  failures.sort((a, b) => a.line - b.line);
  return { results: { ...results, failures: failures.length }, failures };
}

/** Names the column as the file does; one that the file does not have by its own name. */
function toFailure(header: Header, line: number, { errors }: Refused): ImportFailure {
  const message = errors.map((error) => error.message).join('; ');
  const path = errors[0]?.path ?? [];
  const name = path.join('.');
  const column =
    header.find((one) => one.name === name) ??
    header.find((one) => one.name === path[0] || one.name?.startsWith(`${path[0]}.`));
  return { line, column: (column?.header ?? name) || null, message };
}

type Refused = Extract<RowOutcome, { readonly errors: unknown }>;

/** A column of a file: the header as the file has it, and the name of what it means; undefined for what is passed over. */
interface HeaderColumn {
  readonly header: string;
  readonly name: string | undefined;
}

/** The columns of a file, in file order. */
export type Header = readonly HeaderColumn[];

/** Reads the header row, the first that is not blank; throws `BrokenFileError` when it is missing or has unknown columns. */
export async function readHeader(rows: AsyncGenerator<CsvRow>, known: ImportColumns): Promise<Header> {
  for (;;) {
    const next: IteratorResult<CsvRow, undefined> = await rows.next();
    if (next.done) return toHeader(undefined, known);
    if (!('blank' in next.value)) return toHeader(next.value, known);
  }
}

function toHeader(first: FilledRow | undefined, known: ImportColumns): Header {
  if (!first) throw new BrokenFileError('The file is empty');
  if ('problem' in first) throw new BrokenFileError(`The first line must name the columns: ${first.problem}`);
  const headers = first.cells.map((cell) => cell.trim());
  const found = headers.map((header) => ({ header, column: known.find(header) }));
  const unknown = found.filter(({ column }) => column === undefined);
  if (unknown.length > 0) {
    const list = unknown.slice(0, 20).map(({ header }) => header.slice(0, 100));
    throw new BrokenFileError(`Unknown columns: ${list.join(', ')}. Known are: ${known.names.join(', ')}`);
  }
  const columns = found.map(({ header, column }) => ({ header, name: column?.isShownOnly ? undefined : column?.name }));
  const doubled = columns.find(({ name }, index) => name !== undefined && nameAt(columns, name) !== index);
  if (doubled !== undefined) throw new BrokenFileError(`The column ${doubled.header} is there twice`);
  return columns;
}

const nameAt = (columns: Header, wanted: string): number => columns.findIndex(({ name }) => name === wanted);

/** The cells by column, or the reason why the row does not match the header. */
function toImportRow(header: Header, row: FilledRow): ImportRow | string {
  if ('problem' in row) return row.problem;
  if (row.cells.length !== header.length) {
    return `The line has ${row.cells.length} cells, but there are ${header.length} columns`;
  }
  return Object.fromEntries(
    header.flatMap(({ name }, index) => (name === undefined ? [] : [[name, row.cells[index]!] as const])),
  );
}

import { isCustomColumn } from '../write/record.input';
import type { ImportRow, RecordImporter, RowOutcome } from '../write/record-import';
import { BrokenFileError } from './csv-rows';
import type { CsvRow } from './csv-rows';
import { noResults } from './import';
import type { Import, ImportFailure, ImportResults } from './import';

/** The result of a batch of rows. */
export interface BatchResult {
  readonly results: ImportResults;
  readonly failures: readonly ImportFailure[];
}

/** Imports a batch of rows; failed rows are reported with line and column. */
export async function importBatch(
  importer: RecordImporter,
  { type, accountId, caller, reserved }: Import,
  header: Header,
  rows: readonly CsvRow[],
): Promise<BatchResult> {
  const failures: ImportFailure[] = [];
  const fitting: { readonly line: number; readonly row: ImportRow }[] = [];
  for (const csvRow of rows) {
    const row = toImportRow(header, csvRow);
    if (typeof row === 'string') failures.push({ line: csvRow.line, column: null, message: row });
    else fitting.push({ line: csvRow.line, row });
  }
  const importable = fitting.map(({ row }) => row);
  const outcomes = await importer.importRows(type, accountId, caller, importable, reserved ?? undefined);
  const results = { ...noResults };
  for (const [index, outcome] of outcomes.entries()) {
    if ('outcome' in outcome) results[outcome.outcome] += 1;
    else failures.push(toFailure(fitting[index]!.line, outcome));
  }
  failures.sort((a, b) => a.line - b.line);
  return { results: { ...results, failures: failures.length }, failures };
}

function toFailure(line: number, { errors }: Extract<RowOutcome, { readonly errors: unknown }>): ImportFailure {
  const message = errors.map((error) => error.message).join('; ');
  return { line, column: errors[0]?.path?.join('.') || null, message };
}

/** The columns of a file, in file order. */
type Header = readonly string[];

/** Reads the header row; throws `BrokenFileError` when it is missing or has unknown columns. */
export function readHeader(first: CsvRow | undefined, known: readonly string[]): Header {
  if (!first) throw new BrokenFileError('The file is empty');
  if ('problem' in first) throw new BrokenFileError(`The first line must name the columns: ${first.problem}`);
  const names = first.cells.map((cell) => cell.trim());
  const unknown = names.filter((name) => !known.includes(name) && !isCustomColumn(name, known));
  if (unknown.length > 0) {
    const list = unknown.slice(0, 20).map((name) => name.slice(0, 100));
    throw new BrokenFileError(`Unknown columns: ${list.join(', ')}. Known are: ${known.join(', ')}`);
  }
  const doubled = names.find((name, index) => names.indexOf(name) !== index);
  if (doubled !== undefined) throw new BrokenFileError(`The column ${doubled} is there twice`);
  return names;
}

/** The cells by column, or the reason why the row does not match the header. */
function toImportRow(header: Header, row: CsvRow): ImportRow | string {
  if ('problem' in row) return row.problem;
  if (row.cells.length !== header.length) {
    return `The line has ${row.cells.length} cells, but there are ${header.length} columns`;
  }
  return Object.fromEntries(header.map((name, index) => [name, row.cells[index]!]));
}

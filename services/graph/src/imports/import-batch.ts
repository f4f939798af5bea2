import type { ImportRow, RecordImporter, RowOutcome } from '../write/record-import';
import type { CsvRow } from './csv-rows';
import { noResults } from './import';
import type { Import, ImportFailure, ImportResults } from './import';
import type { Header } from './import-header';
import { toImportRow } from './import-header';

/** What became of some rows. */
export interface BatchResult {
  readonly results: ImportResults;
  readonly failures: readonly ImportFailure[];
}

/** Makes rows into records; those that cannot be are failures that name line and column. */
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
  return { line, column: errors[0]?.path?.at(-1) ?? null, message };
}

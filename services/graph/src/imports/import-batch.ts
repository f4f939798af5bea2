import type { FileRow } from '@itsm/shared/contracts/imports';
import { importFileRows, readHeaders } from '@itsm/shared/declared/file-rows';
import type { Header, ImportColumns, RowResults } from '@itsm/shared/declared/file-rows';
import type { RecordImporter } from '../write/record-import';
import { BrokenFileError } from './csv-rows';
import type { CsvRow } from './csv-rows';
import type { RecordType } from '../record-types/record-type';
import type { Import } from './import';

/** Rows that are imported together, the blank ones that stand among them, and the last line of them all. */
export interface Batch {
  readonly rows: readonly FileRow[];
  readonly blank: number;
  readonly line: number;
}

const rowsAtOnce = 500;
/** Rows travel in messages, too, which have bounds. One row has half a million at most. */
const charactersAtOnce = 262_144;

/** The rows after `line`, in batches. */
export async function* inBatches(rows: AsyncIterable<CsvRow>, line: number): AsyncGenerator<Batch, undefined> {
  let filled: FileRow[] = [];
  let blank = 0;
  let last = line;
  let characters = 0;
  for await (const row of rows) {
    if (row.line <= line) continue;
    last = row.line;
    if ('blank' in row) blank += row.blank;
    else filled.push(row);
    characters += lengthOf(row);
    if (filled.length < rowsAtOnce && characters < charactersAtOnce) continue;
    yield { rows: filled, blank, line: last };
    filled = [];
    blank = 0;
    characters = 0;
  }
  if (filled.length > 0 || blank > 0) yield { rows: filled, blank, line: last };
  return undefined;
}

const lengthOf = (row: CsvRow): number => ('cells' in row ? row.cells.reduce((sum, { length }) => sum + length, 0) : 0);

/** Imports a batch of rows; failed rows are reported with line and column. */
export const importBatch = (
  importer: RecordImporter,
  { accountId, caller, isDryRun, reserved }: Import,
  type: RecordType['name'],
  header: Header,
  { rows }: Batch,
): Promise<RowResults> =>
  importFileRows(header, rows, (fitting) => {
    const how = isDryRun ? 'dry run' : (reserved ?? undefined);
    return importer.importRows(
      type,
      accountId,
      caller,
      fitting.map(({ row }) => row),
      how,
    );
  });

/** The cells of the header row, the first that is not blank; throws `BrokenFileError` when it is missing or malformed. */
export async function readFirstRow(rows: AsyncGenerator<CsvRow>): Promise<readonly string[]> {
  for (;;) {
    const next: IteratorResult<CsvRow, undefined> = await rows.next();
    if (next.done) throw new BrokenFileError('The file is empty');
    if ('blank' in next.value) continue;
    if ('problem' in next.value)
      throw new BrokenFileError(`The first line must name the columns: ${next.value.problem}`);
    return next.value.cells;
  }
}

/** Reads the header row; throws `BrokenFileError` when it is missing or has unknown columns. */
export async function readHeader(rows: AsyncGenerator<CsvRow>, known: ImportColumns): Promise<Header> {
  const header = readHeaders(await readFirstRow(rows), known);
  if ('problem' in header) throw new BrokenFileError(header.problem);
  return header;
}

import type { ImportRow } from '../write/record-import';
import type { CsvRow } from './csv-rows';
import { BrokenFileError } from './csv-rows';

/** The columns of a file, in its order. */
export type Header = readonly string[];

/** The first row names the columns; throws `BrokenFileError` when it is missing or names what the type does not have. */
export function readHeader(first: CsvRow | undefined, known: readonly string[]): Header {
  if (!first) throw new BrokenFileError('The file is empty');
  if ('problem' in first) throw new BrokenFileError(`The first line must name the columns: ${first.problem}`);
  const names = first.cells.map((cell) => cell.trim());
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const list = unknown.slice(0, 20).map((name) => name.slice(0, 100));
    throw new BrokenFileError(`Unknown columns: ${list.join(', ')}. Known are: ${known.join(', ')}`);
  }
  const doubled = names.find((name, index) => names.indexOf(name) !== index);
  if (doubled !== undefined) throw new BrokenFileError(`The column ${doubled} is there twice`);
  return names;
}

/** The cells by column, or why the row does not fit. */
export function toImportRow(header: Header, row: CsvRow): ImportRow | string {
  if ('problem' in row) return row.problem;
  if (row.cells.length !== header.length) {
    return `The line has ${row.cells.length} cells, but there are ${header.length} columns`;
  }
  return Object.fromEntries(header.map((name, index) => [name, row.cells[index]!]));
}

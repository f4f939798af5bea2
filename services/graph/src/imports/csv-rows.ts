import type { FileRow } from '@itsm/shared/contracts/imports';
import { charactersOf, notACharacter } from './csv-characters';

/** One record of a CSV file; or how many blank ones, and the last line of them. */
export type CsvRow = FileRow | { readonly line: number; readonly blank: number };

const longestRecord = 512 * 1024;
/** Limits the cost of a malformed file: each unclosed quote is searched for over the length of the longest record. */
const mostBrokenLines = 1_000;

export class BrokenFileError extends Error {}

/**
 * The records of a CSV file (RFC 4180, UTF-8 or UTF-16; also with `;` or a tab), streamed in bounded memory. A
 * malformed line gives a row with a `problem`, and reading goes on after it. Throws `BrokenFileError` after too many
 * malformed lines.
 */
export async function* readCsvRows(file: AsyncIterable<Buffer>): AsyncGenerator<CsvRow> {
  let text = '';
  let line = 0;
  let broken = 0;
  let blank = 0;
  let problem: string | undefined;
  let separator: Separator | undefined;
  for await (const piece of withEnd(charactersOf(file))) {
    const isEnd = piece === undefined;
    text += piece ?? '';
    separator ??= separatorOf(text, isEnd);
    if (separator === undefined) continue;
    let at = 0;
    while (at < text.length || (isEnd && problem !== undefined)) {
      if (problem !== undefined) {
        const end = endOfLine(text, at, isEnd);
        at = end ?? (text.endsWith('\r') ? text.length - 1 : text.length);
        if (end === undefined) break;
        line += 1;
        yield { line, problem };
        problem = undefined;
        broken += 1;
        if (broken > mostBrokenLines) throw tooBroken();
        // Other calls get their turn however many lines are malformed.
        await new Promise(setImmediate);
        continue;
      }
      const read = readRecord(text, at, isEnd, separator);
      if (read === undefined) break;
      const isBlank = 'isBlank' in read && read.isBlank;
      if (!isBlank && blank > 0) {
        yield { line, blank };
        blank = 0;
      }
      if ('problem' in read) {
        problem = read.problem;
        continue;
      }
      line += read.lines;
      if (isBlank) blank += 1;
      else yield toRow(line, read.cells, text.slice(at, read.end));
      at = read.end;
    }
    text = text.slice(at);
  }
  if (blank > 0) yield { line, blank };
}

const tooBroken = (): BrokenFileError =>
  new BrokenFileError(`More than ${mostBrokenLines} lines are broken; the rest of the file was not read`);

async function* withEnd(pieces: AsyncIterable<string>): AsyncGenerator<string | undefined> {
  yield* pieces;
  yield undefined;
}

function toRow(line: number, cells: readonly string[], text: string): CsvRow {
  const problem = notACharacter(text);
  return problem === undefined ? { line, cells } : { line, problem };
}

type ReadRecord =
  | { readonly cells: readonly string[]; readonly end: number; readonly lines: number; readonly isBlank: boolean }
  | { readonly problem: string };

const tooLong = { problem: `A quote is not closed, or the record is longer than ${longestRecord} characters` };

/** Reads the record that begins at `start`; undefined if the text ends before it, so that more has to be read first. */
function readRecord(text: string, start: number, isEnd: boolean, separator: Separator): ReadRecord | undefined {
  const read = readCells(text, start, isEnd, separator);
  const reached = read && 'end' in read ? read.end : text.length;
  const isOver = (read === undefined || 'end' in read) && reached - start > longestRecord;
  return isOver ? tooLong : read;
}

function readCells(text: string, start: number, isEnd: boolean, separator: Separator): ReadRecord | undefined {
  const cells: string[] = [];
  let lines = 1;
  for (let at = start; ; at += 1) {
    const isQuoted = text[at] === '"';
    const stop = isQuoted ? afterClosingQuote(text, at + 1) : endOfPlain(text, at, separator);
    if (stop === undefined) return isEnd ? { problem: 'A quote is not closed' } : undefined;
    const cell = isQuoted ? text.slice(at + 1, stop - 1).replaceAll('""', '"') : text.slice(at, stop);
    if (isQuoted) lines += linesIn(cell);
    cells.push(cell);
    at = stop;
    if (text[at] === separator) continue;
    if (text[at] === '"') return { problem: 'A quote stands inside a cell that does not begin with one' };
    const isOther = at < text.length && text[at] !== '\n' && text[at] !== '\r';
    if (isOther) return { problem: 'Something stands between a closing quote and the next separator' };
    const end = endOfLine(text, at, isEnd);
    return end === undefined ? undefined : { cells, end, lines, isBlank: cells.every((one) => one.trim() === '') };
  }
}

/** The index after the quote that closes a cell; undefined if there is none. Two quotes stand for one in the cell. */
function afterClosingQuote(text: string, from: number): number | undefined {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at + 1;
  }
  return undefined;
}

/** What ends a cell without quotes, by the separator of the file. */
const special = { ',': /[",\r\n]/g, ';': /[";\r\n]/g, '\t': /["\t\r\n]/g } as const;

/** What stands between the cells of a record. */
type Separator = keyof typeof special;
const separators = Object.keys(special) as readonly Separator[];

function endOfPlain(text: string, from: number, separator: Separator): number {
  const end = special[separator];
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}

/**
 * The separator that is most often in the first line that is not blank, outside of quotes; undefined if the text ends
 * before that line does. Its cells are names, of which none is likely to have one.
 */
function separatorOf(text: string, isEnd: boolean): Separator | undefined {
  const start = text.search(/[^\r\n]/);
  const plain = start < 0 ? '' : text.slice(start, start + longestRecord).replaceAll(/"[^"]*"?/g, '');
  const isWhole = isEnd || text.length > longestRecord || /[\r\n]/.test(plain);
  if (!isWhole) return undefined;
  const line = plain.split(/[\r\n]/, 1)[0] ?? '';
  const countOf = (separator: Separator): number => line.split(separator).length;
  return separators.reduce((most, one) => (countOf(one) > countOf(most) ? one : most));
}

const lineEnds = /\r\n|\n|\r/g;

const linesIn = (text: string): number => text.match(lineEnds)?.length ?? 0;

/** The index after the line that `from` is in; undefined if the text ends before. A file may end without a line end. */
function endOfLine(text: string, from: number, isEnd: boolean): number | undefined {
  lineEnds.lastIndex = from;
  const found = lineEnds.exec(text);
  const end = found ? found.index + found[0].length : text.length;
  // The other half of a line end may follow in the next piece.
  const isWhole = found !== null && !(found[0] === '\r' && end === text.length);
  return isWhole || isEnd ? end : undefined;
}

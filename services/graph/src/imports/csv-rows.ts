import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';

/** One record of a CSV file: its last line, and its cells or the reason why it is malformed. */
export type CsvRow =
  { readonly line: number; readonly cells: readonly string[] } | { readonly line: number; readonly problem: string };

interface ParsedRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number; readonly bytes: number };
}

/** Reads the file from a byte offset. */
type ReadFrom = (offset: number) => AsyncIterable<Buffer>;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const longestRecord = 512 * 1024;
/** Limits the cost of a malformed file: each unclosed quote is searched for over the length of the longest record. */
const mostBrokenLines = 1_000;

export class BrokenFileError extends Error {}

/**
 * The records of a CSV file (RFC 4180, UTF-8), streamed in bounded memory. A malformed line gives a row with a
 * `problem`, and reading goes on after it. Throws `BrokenFileError` after too many malformed lines.
 */
export async function* readCsvRows(readFrom: ReadFrom): AsyncGenerator<CsvRow> {
  let place: Place = { offset: 0, line: 0 };
  for (let broken = 0; broken <= mostBrokenLines; broken += 1) {
    const pass = readPass(readFrom, place);
    let step = await pass.next();
    for (; !step.done; step = await pass.next()) yield step.value;
    const end = step.value;
    if (end === undefined) return;
    place = await placeAfterLine(readFrom, end.place);
    yield { line: place.line, problem: end.problem };
  }
  throw new BrokenFileError(`More than ${mostBrokenLines} lines are broken; the rest of the file was not read`);
}

/** The start of a line: its byte offset, and the number of lines before it. */
interface Place {
  readonly offset: number;
  readonly line: number;
}

/** Why a pass stopped, and where the malformed record starts. */
interface Stop {
  readonly place: Place;
  readonly problem: string;
}

/** Yields all records from `start` up to the first malformed one; returns undefined when there is none. */
async function* readPass(readFrom: ReadFrom, start: Place): AsyncGenerator<CsvRow, Stop | undefined> {
  let place = start;
  let records = 0;
  const rowOf = ({ record, info }: ParsedRecord): CsvRow => {
    place = { offset: start.offset + info.bytes, line: start.line + info.lines };
    records += 1;
    return toRow(place.line, record);
  };
  try {
    for await (const parsed of parseBytes(readFrom(start.offset), start.offset === 0)) yield rowOf(parsed);
    return undefined;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // On an error the parser drops records that it has parsed but not emitted. So that part is parsed again, up to the
    // error.
    const base = place;
    const missing = bytesUpTo(readFrom(base.offset), start.offset + Number(error['bytes']) - base.offset);
    for await (const { record, info } of parseBytes(missing, base.offset === 0)) {
      if (records === error['records']) break;
      records += 1;
      place = { offset: base.offset + info.bytes, line: base.line + info.lines };
      yield toRow(place.line, record);
    }
    return { place, problem: problemOf(error) };
  }
}

function parseBytes(bytes: AsyncIterable<Buffer>, atStart: boolean): AsyncIterable<ParsedRecord> {
  const parser = parse({
    bom: atStart,
    info: true,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: longestRecord,
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  const source = Readable.from(bytes, { objectMode: false });
  source.once('error', (error) => parser.destroy(error));
  parser.once('close', () => source.destroy());
  return source.pipe(parser) as AsyncIterable<ParsedRecord>;
}

const toRow = (line: number, cells: readonly string[]): CsvRow =>
  cells.some((cell) => cell.includes('\uFFFD')) ? { line, problem: 'The line is not UTF-8' } : { line, cells };

const problems: Readonly<Partial<Record<string, string>>> = {
  CSV_QUOTE_NOT_CLOSED: 'A quote is not closed',
  CSV_MAX_RECORD_SIZE: `A quote is not closed, or the record is longer than ${longestRecord} bytes`,
  INVALID_OPENING_QUOTE: 'A quote stands inside a cell that does not begin with one',
  CSV_INVALID_CLOSING_QUOTE: 'Something stands between a closing quote and the next comma',
};

const problemOf = ({ code }: CsvError): string => problems[code] ?? 'The line is not valid CSV';

async function* bytesUpTo(bytes: AsyncIterable<Buffer>, length: number): AsyncGenerator<Buffer> {
  let left = length;
  for await (const part of bytes) {
    if (left <= 0) return;
    yield part.subarray(0, left);
    left -= part.length;
  }
}

/** The start of the line after a malformed one; the malformed line may be preceded by empty ones. */
async function placeAfterLine(readFrom: ReadFrom, { offset, line }: Place): Promise<Place> {
  let at = offset;
  let lines = line;
  let begun = false;
  for await (const bytes of readFrom(offset)) {
    for (const byte of bytes) {
      at += 1;
      if (byte === lineFeed) lines += 1;
      if (byte === lineFeed && begun) return { offset: at, line: lines };
      begun ||= byte !== lineFeed && byte !== carriageReturn;
    }
  }
  return { offset: at, line: begun ? lines + 1 : lines };
}

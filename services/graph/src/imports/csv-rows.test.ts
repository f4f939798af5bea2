import fc from 'fast-check';
import { BrokenFileError, readCsvRows } from './csv-rows';
import type { CsvRow } from './csv-rows';

type Filled = Exclude<CsvRow, { readonly blank: number }>;

/** The rows of a text that is streamed in chunks of `size` bytes, without the blank ones. */
const rowsOf = async (text: string | Buffer, size = 7): Promise<Filled[]> =>
  (await allOf(text, size)).filter((row): row is Filled => !('blank' in row));

async function allOf(text: string | Buffer, size: number): Promise<CsvRow[]> {
  const bytes = Buffer.from(text);
  const rows: CsvRow[] = [];
  async function* inChunks() {
    for (let at = 0; at < bytes.length; at += size) yield Promise.resolve(bytes.subarray(at, at + size));
  }
  for await (const row of readCsvRows(inChunks())) rows.push(row);
  return rows;
}

const cellsIn = (rows: readonly Filled[]) => rows.map((row) => ('cells' in row ? row.cells : row.problem));
const linesIn = (rows: readonly CsvRow[]) => rows.map(({ line }) => line);

test.each([1, 3, 1000])(
  'cells, quotes, empty lines, line ends and a byte order mark (%i bytes at a time)',
  async (size) => {
    const rows = await rowsOf('\uFEFFa,b\r\n\r\n1,"x, ""y""\nz"\r\né€𝄞,\n', size);
    expect(cellsIn(rows)).toEqual([
      ['a', 'b'],
      ['1', 'x, "y"\nz'],
      ['é€𝄞', ''],
    ]);
    expect(linesIn(rows)).toEqual([1, 4, 5]);
  },
);

test.each([1, 16, 1000])('everything before and after malformed lines is read (%i bytes at a time)', async (size) => {
  const text = 'a,b\n1,2\n3,x"4\n5,6\n\n7,"8"9\n\n10,11\n"12,13\n14,15\n16,17';
  const rows = await rowsOf(text, size);
  expect(cellsIn(rows)).toEqual([
    ['a', 'b'],
    ['1', '2'],
    'A quote stands inside a cell that does not begin with one',
    ['5', '6'],
    'Something stands between a closing quote and the next separator',
    ['10', '11'],
    'A quote is not closed',
    ['14', '15'],
    ['16', '17'],
  ]);
  expect(linesIn(rows)).toEqual([1, 2, 3, 4, 6, 8, 9, 10, 11]);
});

test('an unclosed quote fails its own line only, however long the file', async () => {
  const good = Array.from({ length: 60_000 }, (_, index) => `${index},some text that makes the line longer`);
  const rows = await rowsOf(['a,b', ...good.slice(0, 100), '"open,1', ...good.slice(100)].join('\n'), 65_536);
  expect(rows).toHaveLength(60_002);
  expect(rows[101]).toEqual({ line: 102, problem: expect.stringMatching(/^A quote is not closed/) as string });
  expect(rows.at(-1)).toMatchObject({ line: 60_002, cells: ['59999', expect.any(String)] });
});

const utf8 = (text: string): Buffer => Buffer.from(text);
const utf16le = (text: string): Buffer => Buffer.from(text, 'utf16le');
const utf16be = (text: string): Buffer => utf16le(text).swap16();
const encodings = {
  'UTF-8': utf8,
  'UTF-8 with a byte order mark': (text) => utf8(`\uFEFF${text}`),
  'UTF-16, little end first': (text) => utf16le(`\uFEFF${text}`),
  'UTF-16, big end first': (text) => utf16be(`\uFEFF${text}`),
} satisfies Record<string, (text: string) => Buffer>;
const encodingNames = Object.keys(encodings) as (keyof typeof encodings)[];

const notUtf8 = /^Character (\d+)( of line \d+ of the record)? is not valid UTF-8/;

describe('invalid bytes', () => {
  test.each([1, 2, 3, 1000])('fail their own line only, with their place (%i bytes at a time)', async (size) => {
    const latin1 = Buffer.from('a;b\nMüller\n"two\nlines, Jörg"\n', 'latin1');
    const rows = await rowsOf(Buffer.concat([utf8('a\nx\n'), latin1, utf8('y €\n'), Buffer.from([0xe2, 0x82])]), size);
    expect(cellsIn(rows)).toEqual([
      ['a'],
      ['x'],
      ['a;b'],
      expect.stringMatching(/^Character 2 is not valid UTF-8/),
      expect.stringMatching(/^Character 9 of line 2 of the record is not valid UTF-8/),
      ['y €'],
      expect.stringMatching(/^Character 1 is not valid UTF-8/),
    ]);
    expect(linesIn(rows)).toEqual([1, 2, 3, 4, 6, 7, 8]);
  });

  test.each([
    ['an overlong form', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a code point beyond the last', [0xf4, 0x90, 0x80, 0x80]],
    ['a continuation alone', [0xbf]],
    ['a byte that no sequence has', [0xff]],
    ['a sequence that is cut short', [0xf0, 0x9f, 0x98]],
  ])('as %s', async (_what, bytes) => {
    for (const size of [1, 2, 5, 1000]) {
      const rows = await rowsOf(Buffer.concat([utf8('a\né'), Buffer.from(bytes), utf8('é\nb\n')]), size);
      expect(cellsIn(rows)).toEqual([['a'], expect.stringMatching(/^Character 2 is not valid UTF-8/), ['b']]);
    }
  });

  test('as an unpaired surrogate or half a unit of UTF-16', async () => {
    const file = (...parts: Buffer[]) => rowsOf(Buffer.concat([utf16le('\uFEFFa\n'), ...parts]), 3);
    for (const wrong of ['\uD83D', '\uDE00', '\uDE00\uD83D', 'x\uD83D\uD83D\uDE00']) {
      const rows = await file(utf16le(`${wrong}\nb,😀\n`));
      expect(cellsIn(rows)).toEqual([['a'], expect.stringMatching(notUtf8), ['b', '😀']]);
    }
    for (const before of ['b', '\uD83D'])
      expect(cellsIn(await file(utf16le(before), Buffer.from([0x3d])))).toEqual([
        ['a'],
        expect.stringMatching(notUtf8),
      ]);
  });
});

test.each(encodingNames)('the replacement character is a character (%s)', async (encoding) => {
  expect(cellsIn(await rowsOf(encodings[encoding]('a\nx\uFFFDy\n\uFFFD\n')))).toEqual([
    ['a'],
    ['x\uFFFDy'],
    ['\uFFFD'],
  ]);
});

/** Cells with everything that has a meaning in CSV, and characters of every length and of bytes that look like those. */
const cell = fc.string({
  unit: fc.constantFrom(
    ...'abc ,;"\n\r\t',
    '\r\n',
    'é',
    '€',
    '😀',
    '\uFFFD',
    '\uFEFF',
    'Ċ',
    '∊',
    '打',
    '\u0A0D',
    '\u2C22',
  ),
  maxLength: 6,
});
const goodRow = fc.array(cell, { minLength: 1, maxLength: 4 }).filter((cells) => cells.join('').trim() !== '');
const brokenLine = fc.constantFrom('"bad" x,y', 'b"ad', 'x,y"', '"a" "b"', 'é,"€"😀');
const written = (cells: readonly string[], separator: string, end: string): string => {
  const isQuoted = (one: string): boolean => one.includes(separator) || /["\r\n\uFEFF]/.test(one);
  return cells.map((one) => (isQuoted(one) ? `"${one.replaceAll('"', '""')}"` : one)).join(separator) + end;
};

test('the good records of a file come out whatever its separator, encoding, line ends, chunks and malformed lines', async () => {
  const file = fc.record({
    rows: fc.array(fc.oneof({ weight: 3, arbitrary: goodRow }, brokenLine), { maxLength: 12 }),
    separator: fc.constantFrom(',', ';', '\t'),
    end: fc.constantFrom('\n', '\r\n', '\r'),
    isLastOpen: fc.boolean(),
    encoding: fc.constantFrom(...encodingNames),
    size: fc.integer({ min: 1, max: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(file, async ({ rows, separator, end, isLastOpen, encoding, size }) => {
      const textOf = (row: string | readonly string[], lineEnd: string): string =>
        typeof row === 'string' ? row.replaceAll(',', separator) + lineEnd : written(row, separator, lineEnd);
      // By the first line the reader knows the separator.
      const text = ['"a;,"', 'b', 'c'].join(separator) + end + rows.map((row) => textOf(row, end)).join('');
      const whole = isLastOpen ? text.slice(0, -end.length) : text;
      const [, ...found] = await rowsOf(encodings[encoding](whole), size);
      expect(found.map((row) => ('cells' in row ? row.cells : 'malformed'))).toEqual(
        rows.map((row) => (typeof row === 'string' ? 'malformed' : row)),
      );
      const lines = rows.map((row) => textOf(row, '').split(/\r\n|\n|\r/).length);
      expect(linesIn(found)).toEqual(lines.map((_, index) => lines.slice(0, index + 1).reduce((a, b) => a + b, 1)));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['a;b\n1;2,3\n', ['1', '2,3']],
  ['a\tb\n1\t2,3\n', ['1', '2,3']],
  ['\n\n"a,,,";b\n1;2,3\n', ['1', '2,3']],
  ['a\n1;2\n', ['1;2']],
  ['"a\n,,,";b\n1;2,3\n', ['1', '2,3']],
  ['a,b;c\n1,2;3\n', ['1', '2;3']],
])('%j has the separator of its first line', async (file, cells) => {
  for (const size of [1, 1_000]) expect(cellsIn(await rowsOf(file, size)).at(-1)).toEqual(cells);
});

test.each([1, 5, 1_000])('blank rows are counted where they stand (%i bytes at a time)', async (size) => {
  const rows = await allOf('\n\na,b\n,\n ,  \n"",""\n1,2\n\n3,"4"x\n\n5,6\n,\n\n', size);
  expect(rows.map(({ line, ...row }) => ('blank' in row ? [line, row.blank] : [line]))).toEqual([
    [2, 2],
    [3],
    [6, 3],
    [7],
    [8, 1],
    [9],
    [10, 1],
    [11],
    [13, 2],
  ]);
});

test('an empty file has no rows', async () => {
  expect(await rowsOf('')).toEqual([]);
  expect(await rowsOf('\n\r\n')).toEqual([]);
});

test('a file of malformed lines only ends with a message', async () => {
  await expect(rowsOf('x"y\n'.repeat(2_000), 65_536)).rejects.toThrow(BrokenFileError);
});

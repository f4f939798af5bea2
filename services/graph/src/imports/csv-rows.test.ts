import { BrokenFileError, readCsvRows } from './csv-rows';
import type { CsvRow } from './csv-rows';

/** The rows of a text that is streamed in chunks of `size` bytes. */
async function rowsOf(text: string | Buffer, size = 7): Promise<CsvRow[]> {
  const bytes = Buffer.from(text);
  const rows: CsvRow[] = [];
  async function* readFrom(offset: number) {
    for (let at = offset; at < bytes.length; at += size) yield Promise.resolve(bytes.subarray(at, at + size));
  }
  for await (const row of readCsvRows(readFrom)) rows.push(row);
  return rows;
}

const cellsIn = (rows: readonly CsvRow[]) => rows.map((row) => ('cells' in row ? row.cells : row.problem));
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
    'Something stands between a closing quote and the next comma',
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

test('invalid UTF-8 fails its own line only', async () => {
  const rows = await rowsOf(
    Buffer.concat([Buffer.from('a\nx\n'), Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from('y\n')]),
  );
  expect(cellsIn(rows)).toEqual([['a'], ['x'], 'The line is not UTF-8', ['y']]);
});

test('an empty file has no rows', async () => {
  expect(await rowsOf('')).toEqual([]);
  expect(await rowsOf('\n\r\n')).toEqual([]);
});

test('a file of malformed lines only ends with a message', async () => {
  await expect(rowsOf('x"y\n'.repeat(2_000), 65_536)).rejects.toThrow(BrokenFileError);
});

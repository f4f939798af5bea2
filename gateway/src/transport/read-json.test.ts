import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { statusOf } from '@itsm/shared/base/errors/app-error';
import { toAppError } from '@itsm/shared/api/http/error-handler';
import { createBodies } from './bodies';
import { readJson } from './read-json';

let address: string;
const bodies = createBodies();
const server = createServer((req, res) => {
  readJson(req, { limit: 60_000, owner: 'wdc', bodies }).then(
    (value) => res.end(JSON.stringify({ listeners: req.listenerCount('close'), value })),
    (error: unknown) => {
      const refused = toAppError(error);
      res.statusCode = refused ? statusOf[refused.code] : 500;
      for (const [name, value] of Object.entries(refused?.details.headers ?? {})) res.setHeader(name, value);
      res.end(JSON.stringify({ message: refused?.message }));
    },
  );
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const post = async (bytes: Buffer, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close', ...headers },
    body: new Uint8Array(bytes),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as object };
};

const codings = { gzip: gzipSync, 'x-gzip': gzipSync, GZIP: gzipSync, deflate: deflateSync, br: brotliCompressSync };

describe.each(Object.entries(codings))('a body in %s', (coding, encode) => {
  const headers = { 'content-encoding': coding };

  test.each([7, 50_000])('of %s bytes is read', async (length) => {
    const value = { a: 'x'.repeat(length) };
    expect(await post(encode(JSON.stringify(value)), headers)).toMatchObject({ status: 200, body: { value } });
  });

  test('that ends too early is refused', async () => {
    const bytes = encode(JSON.stringify({ a: [...Array(2_000).keys()] }));
    expect(await post(bytes.subarray(0, bytes.length - 20), headers)).toMatchObject({
      status: 400,
      body: { message: 'Invalid body' },
    });
  });

  test('that grows beyond the limit is refused', async () => {
    const bomb = encode(Buffer.alloc(20_000_000, ' '));
    expect(await post(bomb, headers)).toMatchObject({ status: 413 });
  });
});

test.each(['zstd', 'compress', 'gzip, br', 'identity, gzip'])('the encoding %s is refused', async (coding) => {
  const answer = await post(Buffer.from('{}'), { 'content-encoding': coding });
  expect(answer.status).toBe(415);
  expect(answer.headers.get('accept-encoding')).toBe('gzip, deflate, br');
});

test.each([
  ['Latin-1', Buffer.from('{"a":"M\u00fcller"}', 'latin1'), 7],
  ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0xbd, 0x22]), 1],
  ['an overlong form', Buffer.from([0x22, 0xc0, 0x80, 0x22]), 1],
  ['a broken character after U+FFFD', Buffer.from([0x22, 0xef, 0xbf, 0xbd, 0xff, 0x22]), 4],
  ['a character that is cut off', Buffer.from([0x22, 0xe2, 0x82]), 1],
])('%s is refused with the place of its first wrong byte', async (_name, bytes, place) => {
  expect(await post(bytes)).toMatchObject({
    status: 400,
    body: { message: `The text is not UTF-8: byte ${place}` },
  });
});

test('a byte order mark is ignored, and U+FFFD is a character', async () => {
  expect(await post(Buffer.from('\ufeff{"a":"\ufffd"}'))).toMatchObject({ body: { value: { a: '\ufffd' } } });
});

test.each([
  ['{"a":{"b":["x","y\\ud83d"]}}', '`a.b.1` has the unpaired surrogate U+D83D at position 1'],
  ['{"a":"\\ude00"}', '`a` has the unpaired surrogate U+DE00 at position 0'],
  ['{"a":"\\ude00\\ud83d"}', '`a` has the unpaired surrogate U+DE00 at position 0'],
  ['{"a":"x\\u0000"}', '`a` has the control character U+0000 at position 1'],
  ['{"a":"\\u001b[0m"}', '`a` has the control character U+001B at position 0'],
  ['{"a":"\\b"}', '`a` has the control character U+0008 at position 0'],
  ['{"a":"\\f"}', '`a` has the control character U+000C at position 0'],
  ['{"\\ud83d":1}', 'A name in the body has the unpaired surrogate U+D83D at position 0'],
])('the text in %s is refused with its place', async (text, message) => {
  expect(await post(Buffer.from(text))).toMatchObject({ status: 400, body: { message } });
});

test('pairs of surrogates, tabs and line ends are text', async () => {
  const value = { a: '\ud83d\ude00\t\r\n\u0085' };
  expect(await post(Buffer.from('{"a":"\\ud83d\\ude00\\t\\r\\n\\u0085"}'))).toMatchObject({ body: { value } });
});

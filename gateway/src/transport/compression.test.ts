import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

interface Ask {
  readonly method?: string;
  /** The value of `Accept-Encoding`. */
  readonly accepts?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Sends a request with a token; resolves with the head of the answer, without reading its body. */
async function open(path: string, { method = 'GET', accepts, headers, body }: Ask = {}): Promise<IncomingMessage> {
  const all = {
    authorization: `Bearer ${gateway.auth.issue()}`,
    'x-service-account': 'wdc',
    ...(accepts !== undefined && { 'accept-encoding': accepts }),
    ...(body && { 'content-type': 'application/json' }),
    ...headers,
  };
  const asked = request(gateway.url + path, { method, headers: all, agent: false });
  asked.end(body && JSON.stringify(body));
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return answer;
}

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync };

/** The status, the headers, the body as it came, and its text. */
async function ask(path: string, given: Ask = {}) {
  const answer = await open(path, given);
  const { statusCode: status, headers } = answer;
  const bytes = await buffer(answer);
  const decode = decoders[headers['content-encoding'] ?? ''] ?? ((body) => body);
  return { status, headers, bytes, text: bytes.length > 0 ? decode(bytes).toString() : '' };
}

const repeated = (field: string, times: number): string =>
  Array.from({ length: times }, (_, n) => `a${n}: ${field}`).join(' ');
const longQuery = { query: `{ ${repeated('me { name }', 60)} }` };
const call = (body: object, accepts?: string) => ask('/graphql', { method: 'POST', body, accepts });

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['*', 'br'],
  ['identity;q=0, gzip', 'gzip'],
  ['identity, gzip;q=0.5', undefined],
  ['gzip;q=0, br;q=0', undefined],
  ['deflate, zstd', undefined],
  ['identity;q=0', undefined],
  ['*;q=0', undefined],
  ['', undefined],
  [undefined, undefined],
])('with Accept-Encoding %j the answer of a query comes as %s', async (accepts, coding) => {
  const plain = await call(longQuery);
  expect(plain.text.length).toBeGreaterThan(1_024);
  const { status, headers, bytes, text } = await call(longQuery, accepts);
  expect([status, headers['content-encoding'], headers.vary]).toEqual([200, coding, 'Accept-Encoding']);
  expect(text).toBe(plain.text);
  expect(headers['content-length']).toBe(String(bytes.length));
  if (coding) expect(bytes.length).toBeLessThan(plain.bytes.length / 4);
});

test('short answers, mutations and refusals are sent as they are', async () => {
  const inReason = `mutation { requestCreate(subject: "${'s'.repeat(2_000)}") { request { subject } } }`;
  const refused = `{ ${repeated('nothing', 60)} }`;
  for (const query of ['{ me { name } }', inReason, refused]) {
    const { headers, text } = await call({ query }, 'br, gzip');
    expect([query.slice(0, 8), headers['content-encoding']]).toEqual([query.slice(0, 8), undefined]);
    expect(JSON.parse(text)).toBeInstanceOf(Object);
  }
  expect((await call({ query: inReason })).text.length).toBeGreaterThan(2_000);
});

test('a long answer is compressed as a stream, and is complete', async () => {
  const long = { query: `{ ${repeated(`me { ${'n'.repeat(700)}: name }`, 60)} }` };
  const plain = await call(long);
  expect(plain.bytes.length).toBeGreaterThan(32 * 1024);
  for (const accepts of ['br', 'gzip']) {
    const { headers, text } = await call(long, accepts);
    expect([headers['content-encoding'], text === plain.text]).toEqual([accepts, true]);
  }
});

test.each([2_000, 100_000])('a record of %i bytes is compressed, and its tag is weak', async (length) => {
  const { status, headers, bytes, text } = await ask(`/v1/requests/long/${length}`, { accepts: 'br' });
  expect([status, headers['content-encoding'], text.length]).toEqual([200, 'br', length]);
  expect(headers).toMatchObject({ etag: 'W/"strong"', vary: 'Accept-Encoding', 'content-type': /^text\/plain/ });
  expect(bytes.length).toBeLessThan(length);
  const plain = await ask(`/v1/requests/long/${length}`);
  expect(plain.headers).toMatchObject({ etag: '"strong"', vary: 'Accept-Encoding', 'content-length': String(length) });
});

test.each([2_000, 100_000])('HEAD of %i bytes says what GET would, but no length', async (length) => {
  const { headers, bytes } = await ask(`/v1/requests/long/${length}`, { method: 'HEAD', accepts: 'gzip' });
  expect([headers['content-encoding'], headers['content-length'], bytes.length]).toEqual(['gzip', undefined, 0]);
});

test.each([
  ['POST', '/v1/requests/long/2000'],
  ['GET', '/v1/requests/long/900'],
  ['GET', '/v1/requests/cookie/2000'],
  ['GET', '/v1/requests/private/2000'],
  ['GET', '/v1/webhooks/long/2000'],
  ['GET', '/v1/import/long/2000'],
  ['GET', '/oauth/long/2000'],
  ['GET', '/accounts/wdc/webhooks/1/page/long/2000'],
  ['GET', '/ui_extension_previews/long/2000'],
])('%s %s is not compressed', async (method, path) => {
  const { status, headers, bytes } = await ask(path, { method, accepts: 'br, gzip' });
  expect([status, headers['content-encoding'], headers['content-length']]).toEqual([
    200,
    undefined,
    String(bytes.length),
  ]);
});

test('an answer that breaks off is a 502 without the head of the broken one', async () => {
  const { status, headers, text } = await ask('/v1/requests/broken/2000', { method: 'GET', accepts: 'br' });
  expect([status, text]).toEqual([502, '{"message":"Bad Gateway"}']);
  expect(headers).not.toHaveProperty('content-encoding');
});

test('of many long answers at once two are compressed, and the others are sent as they are', async () => {
  // More than the buffers of a connection hold, so that an answer lasts until the test reads it.
  const path = '/v1/requests/long/12000000';
  const slow = [await open(path, { accepts: 'br' }), await open(path, { accepts: 'gzip' })];
  expect(slow.map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip']);
  const third = await open(path, { accepts: 'br' });
  expect(third.headers).not.toHaveProperty('content-encoding');
  // Short ones need no thread.
  expect((await ask('/v1/requests/long/2000', { accepts: 'br' })).headers['content-encoding']).toBe('br');
  for (const one of [...slow, third]) one.on('error', () => undefined).destroy();
  const isCompressed = async (): Promise<boolean> => {
    const { headers } = await ask('/v1/requests/long/100000', { accepts: 'br' });
    return headers['content-encoding'] === 'br';
  };
  await waitUntil('a thread that clients who left have freed', isCompressed);
});

test.each([
  ['/graphql', 'text/plain', 'private, no-cache'],
  ['/graphql', 'application/json', 'private, no-cache'],
  ['/docs/v1/graphql', 'text/html', 'public, max-age=3600'],
])('%s as %s is small, and is sent again only when it has changed', async (path, accept, control) => {
  const plain = await ask(path, { headers: { accept } });
  expect(plain.headers).toMatchObject({ 'content-type': `${accept}; charset=utf-8`, 'cache-control': control });
  expect(plain.headers.vary).toContain('Accept-Encoding');
  const { etag = '' } = plain.headers;
  for (const accepts of ['br', 'gzip']) {
    const { headers, bytes, text } = await ask(path, { accepts, headers: { accept } });
    expect([headers['content-encoding'], headers.etag, text === plain.text]).toEqual([accepts, etag, true]);
    expect([headers['content-length'], bytes.length < plain.bytes.length / 2]).toEqual([String(bytes.length), true]);
    const head = await ask(path, { method: 'HEAD', accepts, headers: { accept } });
    expect(head.headers).toMatchObject({ 'content-encoding': accepts, 'content-length': String(bytes.length) });
    const again = await ask(path, { accepts, headers: { accept, 'if-none-match': etag } });
    expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, etag]);
    expect(again.headers.vary).toContain('Accept-Encoding');
  }
});

test('a compressed body of a request is passed on as it came', async () => {
  const body = gzipSync(JSON.stringify({ name: 'n'.repeat(1_000) }));
  const response = await fetch(`${gateway.url}/v1/webhooks`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.auth.issue()}`,
      'x-service-account': 'wdc',
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    body: new Uint8Array(body),
  });
  expect(await response.json()).toMatchObject({
    bytes: body.length,
    headers: { 'content-encoding': 'gzip', 'content-length': String(body.length) },
  });
});

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import request from 'supertest';
import { z } from 'zod';
import { outOfDiskSpace } from '../../testing/full-store';
import { createLogger } from '../../observing/logs/logger';
import { listen } from '../../running/listen';
import { createHttp } from './create-http';
import { formBody } from './form-body';
import { jsonBody } from './json-body';
import { methodNotAllowed } from './method-not-allowed';
import { parse } from './parse';

const input = z.strictObject({ uri: z.url('Uri is not a valid https address'), name: z.string().max(5).optional() });

const start = () => {
  const lines: string[] = [];
  const logger = createLogger('test', 'info', (line) => lines.push(line));
  const http = createHttp(logger, (app) => {
    app
      .route('/things')
      .post(...jsonBody('1kb'), (req, res) => {
        res.status(201).json(parse(input, req.body));
      })
      .all(methodNotAllowed('POST'));
    app.post('/form', ...formBody('1kb'), (req, res) => void res.json(req.body));
    app.get('/broken', () => {
      throw new Error('the secret reason');
    });
    app.get('/without-store', () => {
      throw Object.assign(new Error('no primary'), { name: 'MongoServerSelectionError' });
    });
    app.get('/full-store', () => {
      throw outOfDiskSpace();
    });
  });
  return { http, lines };
};

const post = (body: string, type = 'application/json') =>
  request(start().http).post('/things').set('Content-Type', type).send(body);

test.each([
  ['malformed JSON', '{"uri":', 'application/json', 400, { message: 'Invalid JSON' }],
  ['an array', '[]', 'application/json', 400, { message: 'Invalid JSON' }],
  ['a bare text', '"x"', 'application/json', 400, { message: 'Invalid JSON' }],
  [
    'another content type',
    'uri=x',
    'application/x-www-form-urlencoded',
    415,
    { message: 'Content-Type must be application/json' },
  ],
  ['another charset', '{}', 'application/json; charset=klingon', 415, { message: 'The charset must be utf-8' }],
  [
    'too large a body',
    JSON.stringify({ uri: 'x'.repeat(2_000) }),
    'application/json',
    413,
    { message: 'Payload Too Large' },
  ],
])('%s is refused with a plain message', async (_what, body, type, status, answer) => {
  await post(body, type).expect(status, answer);
});

test('all refused members are named', async () => {
  await post(JSON.stringify({ uri: 'x', name: 'too long', other: 1 })).expect(422, {
    message: 'Validation Failed',
    errors: [
      ['uri', 'Uri is not a valid https address'],
      ['name', 'Too big: expected string to have <=5 characters'],
      ['other', 'Unknown member'],
    ],
  });
});

test('an unreachable store is a 503 with Retry-After', async () => {
  const { http } = start();
  await request(http).get('/without-store').expect(503, { message: 'Service Unavailable' }).expect('Retry-After', '5');
});

test('a full store is a 507 that says what to do, and one line of the log, without a stack', async () => {
  const { http, lines } = start();
  const { headers } = await request(http)
    .get('/full-store')
    .expect(507, { message: 'The disk of the platform is full: ask its operator to make room, then try again' });
  expect(headers).not.toHaveProperty('retry-after');
  const errors = lines.map((line) => JSON.parse(line) as { level: string }).filter(({ level }) => level === 'error');
  expect(errors).toMatchObject([
    { message: 'request failed', error: { name: 'MongoServerError', message: 'no space left on device' } },
  ]);
  expect(lines.join('\n')).not.toContain('    at ');
});

test('an empty body is an object without members', async () => {
  const { body } = await post('').expect(422);
  expect(body).toMatchObject({ errors: [['uri', expect.any(String)]] });
});

test('an unknown path is a 404, a wrong method a 405 with Allow', async () => {
  const { http } = start();
  await request(http).get('/nothing').expect(404, { message: 'Not Found' });
  await request(http).get('/%E0%A4%A').expect(404);
  await request(http).delete('/things').expect(405, { message: 'Method Not Allowed' }).expect('Allow', 'POST');
});

test('an internal error is answered without detail and logged with its request id', async () => {
  const { http, lines } = start();
  const { body, headers } = await request(http).get('/broken').set('X-Request-Id', 'request-0001').expect(500);
  expect(body).toEqual({ message: 'Internal Server Error' });
  expect(headers['x-request-id']).toBe('request-0001');
  expect(headers['x-powered-by']).toBeUndefined();
  expect(lines.join()).toContain('request-0001');
  expect(lines.join()).toContain('the secret reason');
});

test('a refusal is logged with its code, without input', async () => {
  const { http, lines } = start();
  const body = { uri: 'https://secret.example', other: 1 };
  await request(http).post('/things').set('X-Request-Id', 'request-0002').send(body).expect(422);
  const [line] = lines.map((text) => JSON.parse(text) as object);
  expect(line).toMatchObject({ message: 'request refused', requestId: 'request-0002', codes: ['validation_failed'] });
  expect(lines.join()).not.toContain('secret');
});

test.each(['no-cache', 'max-age=0', 'no-store'])('a known tag beside Cache-Control: %s is a 304', async (control) => {
  const lines: string[] = [];
  const logger = createLogger('test', 'info', (line) => lines.push(line));
  const http = createHttp(logger, (app) => app.get('/thing', (_req, res) => void res.json({ a: 1 })));
  const { headers } = await request(http).get('/thing').expect(200);
  const tag = headers['etag'] ?? '';
  const ask = (tags: string) => request(http).get('/thing').set('If-None-Match', tags).set('Cache-Control', control);
  for (const tags of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) await ask(tags).expect(304);
  await ask('"other"').expect(200);
});

test.each([
  ['Latin-1', Buffer.from('{"uri":"M\u00fc"}', 'latin1'), 'The text is not UTF-8: byte 9'],
  ['half a surrogate pair', Buffer.from('{"uri":"\\ud83d"}'), '`uri` has the unpaired surrogate U+D83D at position 0'],
  ['NUL', Buffer.from('{"uri":"\\u0000"}'), '`uri` has the control character U+0000 at position 0'],
])('a body with %s is refused with its place', async (_what, bytes, message) => {
  const listening = await listen({ http: start().http }, 0);
  const response = await fetch(`http://127.0.0.1:${listening.port}/things`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: new Uint8Array(bytes),
  });
  expect([response.status, await response.json()]).toEqual([400, { message }]);
  await listening.close();
});

/** Sends bytes as they are. */
async function postBytes(path: string, bytes: Buffer, headers: Record<string, string>) {
  const listening = await listen({ http: start().http }, 0);
  const response = await fetch(`http://127.0.0.1:${listening.port}${path}`, {
    method: 'POST',
    headers: { connection: 'close', ...headers },
    body: new Uint8Array(bytes),
  });
  const answer: [number, unknown] = [response.status, await response.json()];
  await listening.close();
  return answer;
}

const uri = { uri: 'https://a.example' };
const text = Buffer.from(JSON.stringify(uri));

test.each([
  ['gzip', gzipSync(text), [201, uri]],
  ['br', brotliCompressSync(text), [201, uri]],
  ['deflate', deflateSync(text), [201, uri]],
  // The limit is that of the decompressed body.
  ['gzip', gzipSync(' '.repeat(2_000)), [413, { message: 'Payload Too Large' }]],
  ['gzip', Buffer.from('not gzip'), [400, { message: 'Bad Request' }]],
  ['gzip', gzipSync(Buffer.from('{"uri":"\xff"}', 'latin1')), [400, { message: 'The text is not UTF-8: byte 8' }]],
  // Node.js 24 has zstd, Node.js 20 does not.
  ['compress', text, [415, { message: 'Unsupported Media Type' }]],
])('a body compressed with %s is read as any other', async (coding, bytes, answer) => {
  const headers = { 'content-type': 'application/json', 'content-encoding': coding };
  expect(await postBytes('/things', bytes, headers)).toEqual(answer);
});

const refusal = (message: string) => [400, { message }];

test.each([
  ['a=%C3%BC+b&c=%zz', [200, { a: 'ü b', c: '%zz' }]],
  ['a=%FF', refusal('The text is not UTF-8: byte 0')],
  ['x%ff=1', refusal('The text is not UTF-8: byte 1')],
  ['a=\xff', refusal('The text is not UTF-8: byte 2')],
  ['a=%ED%A0%80', refusal('The text is not UTF-8: byte 0')],
  ['a=%00', refusal('`a` has the control character U+0000 at position 0')],
  ['%1F=a', refusal('A name in the body has the control character U+001F at position 0')],
])('the form %j is read or refused', async (form, answer) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await postBytes('/form', Buffer.from(form, 'latin1'), headers)).toEqual(answer);
});

test('a malformed request id is replaced', async () => {
  const { headers } = await request(start().http).get('/nothing').set('X-Request-Id', 'a b');
  expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
});

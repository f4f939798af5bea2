import request from 'supertest';
import { z } from 'zod';
import { createLogger } from '../../observing/logs/logger';
import { createHttp } from './create-http';
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
    app.get('/broken', () => {
      throw new Error('the secret reason');
    });
    app.get('/without-store', () => {
      throw Object.assign(new Error('no primary'), { name: 'MongoServerSelectionError' });
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
  ['another charset', '{}', 'application/json; charset=klingon', 415, { message: 'Unsupported Media Type' }],
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

test('a malformed request id is replaced', async () => {
  const { headers } = await request(start().http).get('/nothing').set('X-Request-Id', 'a b');
  expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
});

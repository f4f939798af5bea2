import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { sessionCookie, startConsole } from '../testing/start-console';
import type { Seen, StartedConsole } from '../testing/start-console';

let play: (seen: Seen, res: ServerResponse) => void;
let started: StartedConsole;
beforeAll(async () => {
  started = await startConsole({ respond: (seen, res) => play(seen, res) });
});
beforeEach(() => {
  play = (_seen, res) => res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  started.calls.length = 0;
});
afterAll(() => started.close());

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

const call = (method: Method, path: string, account = 'wdc') =>
  started.http[method](path).set('Cookie', sessionCookie(started)).set('X-Console', account);

test('a GraphQL call is forwarded with the token, and its answer has the limits', async () => {
  const limits = {
    'x-ratelimit-limit': '20',
    'x-ratelimit-remaining': '19',
    'x-costlimit-cost': '1',
    'x-request-id': 'of-the-gateway',
    'retry-after': '5',
  };
  play = (_seen, res) =>
    res
      .writeHead(503, {
        'content-type': 'application/graphql-response+json',
        ...limits,
        'set-cookie': 'a=b',
        server: 'x',
      })
      .end('{"data":null}');
  const document = { query: 'query List { me { name } }', variables: { first: 3 } };
  const { headers, body } = await call('post', '/console/graphql')
    .set('Accept', 'application/graphql-response+json')
    .set('Authorization', 'Bearer of-somebody-else')
    .set('X-Service-Account', 'other')
    .set('X-Forwarded-Proto', 'https')
    .send(document)
    .expect(503);
  expect(headers).toMatchObject({ ...limits, 'content-type': 'application/graphql-response+json' });
  expect(headers).toMatchObject({ 'x-console-build': expect.any(String) as string, 'cache-control': 'no-store' });
  expect(headers).not.toHaveProperty('set-cookie');
  expect(headers).not.toHaveProperty('server');
  expect(body).toEqual({ data: null });
  const [seen] = started.calls;
  expect(seen).toMatchObject({
    method: 'POST',
    path: '/graphql',
    headers: {
      accept: 'application/graphql-response+json',
      authorization: 'Bearer itsm_at_secret',
      'content-type': 'application/json',
      'x-service-account': 'wdc',
      'x-forwarded-proto': 'https',
    },
  });
  expect(JSON.parse(seen?.body ?? '')).toEqual(document);
  expect(seen?.headers).not.toHaveProperty('cookie');
  expect(seen?.headers).not.toHaveProperty('x-console');
});

test.each([
  ['get', '/console/v1/webhooks?fields=id&per_page=5', '/v1/webhooks?fields=id&per_page=5'],
  ['post', '/console/v1/webhooks/7/test', '/v1/webhooks/7/test'],
  ['patch', '/console/v1/requests/1', '/v1/requests/1'],
  ['put', '/console/v1/ui_extensions/1', '/v1/ui_extensions/1'],
  ['delete', '/console/v1/webhook_policies/1', '/v1/webhook_policies/1'],
  ['get', '/console/v1/import/abc', '/v1/import/abc'],
  ['get', '/console/v1/rate_limit', '/v1/rate_limit'],
] as const)('%s %s is passed on', async (method, path, target) => {
  const text = method === 'get' || method === 'delete' ? undefined : { name: 'x' };
  await call(method, path).send(text).expect(200, {});
  expect(started.calls).toMatchObject([{ method: method.toUpperCase(), path: target }]);
  expect(started.calls[0]?.body).toBe(text ? '{"name":"x"}' : '');
});

test('a write carries the state that it is for, and the key by which it is done once', async () => {
  const headers = { 'if-match': '"7.abc"', 'idempotency-key': '"8e03978e"' };
  await call('patch', '/console/v1/requests/1').set(headers).send({ status: 'accepted' }).expect(200);
  expect(started.calls).toMatchObject([{ headers }]);
});

test.each(['/console/v1', '/console/v1/', '/console/v1/security_log', '/console/v1/Webhooks', '/console/v2/webhooks'])(
  '%s is nothing that pages use',
  async (path) => {
    await call('get', path).expect(404);
    expect(started.calls).toEqual([]);
  },
);

test('unused methods are refused here, and so is a page without account or session', async () => {
  await started.http.options('/console/v1/webhooks').set('X-Console', 'wdc').expect(405);
  await call('get', '/console/graphql').expect(405);
  await call('post', '/console/graphql', '-').send({}).expect(400);
  await started.http.post('/console/graphql').set('X-Console', 'wdc').send({}).expect(401);
  await started.http.get('/console/v1/requests').set('X-Console', 'wdc').expect(401);
  await started.http.get('/console/schema').set('X-Console', '-').expect(401);
  expect(started.calls).toEqual([]);
});

test('the schema is sent once, and again when the gateway says that it has changed', async () => {
  let [sdl, etag] = ['type Query { me: Person }', 'W/"1"'];
  play = ({ headers: asked }, res) => {
    const headers = { 'content-type': 'text/plain; charset=utf-8', etag, vary: 'Accept-Encoding' };
    if (asked['if-none-match'] === etag) res.writeHead(304, headers).end();
    else res.writeHead(200, headers).end(sdl);
  };
  const { text, headers } = await call('get', '/console/schema', '-').expect(200);
  expect(text).toBe(sdl);
  expect(headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'private, no-cache',
    etag,
    vary: 'Accept-Encoding',
  });
  expect(started.calls).toMatchObject([{ path: '/graphql', headers: { accept: 'text/plain' } }]);
  const again = await call('get', '/console/schema').set('If-None-Match', etag).expect(304);
  expect(again.headers).toMatchObject({ 'cache-control': 'private, no-cache', etag });
  const old = etag;
  [sdl, etag] = ['type Query { you: Person }', 'W/"2"'];
  await call('get', '/console/schema').set('If-None-Match', old).expect(200, sdl);
  play = (_seen, res) => res.writeHead(429, { 'retry-after': '2' }).end('{}');
  const refused = await call('get', '/console/schema').expect(429);
  expect(refused.headers).toMatchObject({ 'retry-after': '2', 'cache-control': 'no-store' });
});

test('what the gateway has compressed is passed on as it is', async () => {
  const packed = gzipSync('{"data":null}');
  play = (_seen, res) =>
    res
      .writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length, vary: 'Accept-Encoding' })
      .end(packed);
  const { headers, text } = await call('post', '/console/graphql').set('Accept-Encoding', 'gzip').send({}).expect(200);
  expect(started.calls[0]?.headers['accept-encoding']).toBe('gzip');
  expect(headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-length': String(packed.length),
    vary: 'Accept-Encoding',
  });
  expect(text).toBe('{"data":null}');
});

test('an upload is streamed', async () => {
  const file = 'subject\n'.repeat(300_000);
  await call('post', '/console/v1/import').type('text/csv').send(file).expect(200);
  expect(started.calls[0]?.body).toHaveLength(file.length);
});

test('an unreachable gateway is a 503', async () => {
  const alone = await startConsole();
  alone.stopGateway();
  const { headers } = await alone.http
    .post('/console/graphql')
    .set('Cookie', sessionCookie(alone))
    .set('X-Console', 'wdc')
    .send({})
    .expect(503);
  expect(headers).toHaveProperty('retry-after');
  await alone.close();
});

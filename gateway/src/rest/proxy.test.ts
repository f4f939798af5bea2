import { once } from 'node:events';
import { request } from 'node:http';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { rawCall } from '../testing/raw-call';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly bytes: number;
}
const echoOf = async (response: Response): Promise<Echo> => (await response.json()) as Echo;
const as = (token: string, more: Record<string, string> = {}) => ({
  authorization: `Bearer ${token}`,
  'x-service-account': 'wdc',
  ...more,
});

const raw = (text: string): Promise<string> => rawCall(gateway.url, text);

test.each([
  ['/v1/webhooks', '/v1/webhooks'],
  ['/v1/webhooks/', '/v1/webhooks/'],
  ['/v1/webhooks/1/test?x=1&y=a%20b', '/v1/webhooks/1/test?x=1&y=a%20b'],
  ['/v1/webhook_policies/2', '/v1/webhook_policies/2'],
  ['/v1/webhook_deliveries/2', '/v1/webhook_deliveries/2'],
  ['/v1/ui_extensions/1/versions', '/v1/ui_extensions/1/versions'],
  ['/ui_extensions/1/versions/?fields=id', '/v1/ui_extensions/1/versions/?fields=id'],
  ['/v1/requests/1', '/v1/requests/1'],
])('%s reaches its service as %s', async (path, seen) => {
  const response = await gateway.get(path, as(gateway.auth.issue()));
  expect(response.status).toBe(200);
  expect((await echoOf(response)).url).toBe(seen);
  expect(response.headers.get('x-ratelimit-limit')).toBe('20');
});

test.each([
  '/oauth/profile',
  '/.well-known/oauth-authorization-server',
  '/accounts/wdc/webhooks/1/verify?code=a',
  '/accounts/wdc/webhook_policies/p/jwks',
])('%s needs no token', async (path) => {
  expect((await echoOf(await gateway.get(path))).url).toBe(path);
});

test.each([
  '/internal/introspect',
  '/internal/',
  '//internal/introspect',
  '/oauth//internal',
  '/oauth/%2e%2e/internal/introspect',
  '/oauth/..%2finternal/introspect',
  '/oauth/%2E./internal',
  '/oauth/%252e%252e/internal',
  '/oauth\\..\\internal',
  '/v1/webhooks/..;/internal',
  '/v1/webhooksx',
  '/v1/WEBHOOKS',
  '/accounts//webhooks/1',
  '/v2',
  '/accounts/w_dc',
  '/accounts/wdc/requests',
  '/accounts/wdc/nothing/1',
  '/accounts/wdc/constructor/1',
  '/accounts/w_dc/requests/1',
  '/readyz',
])('%s does not exist', async (path) => {
  const answer = await raw(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.auth.issue()}\r\nX-Service-Account: wdc\r\nConnection: close\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  expect(answer).toContain('{"message":"Not Found"}');
});

test.each(['/oauth/../internal/introspect', 'http://internal/internal/introspect', '/v1/webhooks/é', '*'])(
  'the target %s is the fault of the client',
  async (target) => {
    const answer = await raw(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
  },
);

test("a service gets the caller's identity instead of the token, and no header that a client forged", async () => {
  const token = gateway.auth.issue();
  const { headers } = await echoOf(
    await gateway.get(
      '/v1/webhooks',
      as(token, {
        cookie: 'session=1',
        'x-forwarded-for': '6.6.6.6',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'evil.example',
        forwarded: 'for=6.6.6.6',
        'x-real-ip': '6.6.6.6',
        'x-request-id': 'made-up-by-a-client',
        'x-http-method-override': 'DELETE',
        'accept-language': 'nl',
      }),
    ),
  );
  expect(headers['authorization']).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
  expect(JSON.stringify(headers)).not.toContain(token);
  expect(JSON.stringify(headers)).not.toContain('6.6.6.6');
  expect(headers).toMatchObject({
    'x-service-account': 'wdc',
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'x-forwarded-host': new URL(gateway.url).host,
    'accept-language': 'nl',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
  });
  for (const name of ['cookie', 'x-http-method-override', 'forwarded', 'x-real-ip'])
    expect(headers).not.toHaveProperty(name);
});

test('oauth keeps its own credentials and cookies', async () => {
  const { headers } = await echoOf(
    await gateway.get('/oauth/token', { authorization: 'Basic eDp5', cookie: 'session=1', 'x-service-account': 'wdc' }),
  );
  expect(headers).toMatchObject({ authorization: 'Basic eDp5', cookie: 'session=1' });
  expect(headers).not.toHaveProperty('x-service-account');
});

test('a service that needs no caller gets no credentials', async () => {
  const path = '/accounts/wdc/webhooks/1/verify?code=a';
  const { headers } = await echoOf(await gateway.get(path, as(gateway.auth.issue(), { dpop: 'proof' })));
  for (const name of ['authorization', 'dpop']) expect(headers).not.toHaveProperty(name);
});

test('bodies are streamed, not buffered', async () => {
  const { port } = new URL(gateway.url);
  const outgoing = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/v1/import',
    headers: as(gateway.auth.issue()),
  });
  const answered = once(outgoing, 'response');
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  for (let part = 0; part < 20; part += 1) if (!outgoing.write(chunk)) await once(outgoing, 'drain');
  outgoing.end();
  const [response] = (await answered) as [NodeJS.ReadableStream];
  let text = '';
  for await (const part of response) text += String(part);
  expect(JSON.parse(text)).toMatchObject({ bytes: 20 * 1024 * 1024, headers: { 'transfer-encoding': 'chunked' } });
});

test('the answer of a service is passed on unchanged', async () => {
  expect((await gateway.get('/v1/webhooks/teapot', as(gateway.auth.issue()))).status).toBe(418);
});

test.each([
  ['no token', {}, 401, 'Unauthorized'],
  ['no account', { 'x-service-account': '' }, 400, 'Missing X-Service-Account header'],
  ['a foreign account', { 'x-service-account': 'acme' }, 403, 'Forbidden'],
])('%s is refused', async (_name, headers, status, message) => {
  const given = status === 401 ? headers : as(gateway.auth.issue(), headers);
  const response = await gateway.get('/v1/webhooks', given);
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ message });
});

test('a service that is down is 503 with Retry-After, and GraphQL answers with the data of the others', async () => {
  const token = gateway.auth.issue();
  await gateway.graph.stop();
  const rest = await gateway.get('/v1/requests', as(token));
  expect([rest.status, rest.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await rest.json()).toEqual({ message: 'Service Unavailable' });
  const nothing = await gateway.post(token, { query: '{ all: requests(first: 1) { totalCount } }' });
  expect([nothing.status, nothing.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await nothing.json()).toMatchObject({ data: { all: null }, errors: [{ path: ['all'] }] });
  const graphql = await gateway.post(token, { query: '{ me { id } all: requests(first: 1) { totalCount } }' });
  expect([graphql.status, graphql.headers.get('retry-after')]).toEqual([200, '5']);
  expect(await graphql.json()).toEqual({
    data: { me: { id: '1' }, all: null },
    errors: [{ message: 'Service Unavailable', path: ['all'], extensions: { code: 'SERVICE_UNAVAILABLE' } }],
  });
  await gateway.graph.start();
  await waitUntil('the service', async () => (await gateway.get('/v1/requests', as(token))).status === 200);
});

test.each([
  ['with its length', { 'content-length': String(2 * 1024 * 1024) }],
  ['in pieces', { 'transfer-encoding': 'chunked' }],
])('a body over the limit that comes %s is 413', async (_name, headers) => {
  const { port } = new URL(gateway.url);
  const to = { port, host: '127.0.0.1', method: 'POST', path: '/v1/webhooks' };
  const outgoing = request({ ...to, headers: as(gateway.auth.issue(), headers) });
  const answered = once(outgoing, 'response');
  outgoing.end(Buffer.alloc(2 * 1024 * 1024, 'x'));
  const [response] = (await answered) as [NodeJS.ReadableStream & { statusCode: number }];
  let text = '';
  for await (const part of response) text += String(part);
  expect([response.statusCode, text]).toEqual([413, '{"message":"Payload Too Large"}']);
});

test('plain http from other machines is refused, on public paths too', async () => {
  const proxied = await startGateway({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  const headers = as(proxied.auth.issue(), { 'x-forwarded-proto': 'http' });
  const paths = ['/v1/webhooks', '/v1/rate_limit', '/oauth/token', '/oauth/profile', '/accounts/wdc/webhooks/1/verify'];
  for (const path of [...paths, '/graphql', '/']) {
    const refused = await proxied.get(path, headers);
    expect([path, refused.status, await refused.json()]).toMatchObject([path, 400, { message: 'HTTPS is required' }]);
  }
  const page = await proxied.get('/oauth/profile', { ...headers, accept: 'text/html' });
  expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('HTTPS is required')]);
  for (const path of paths)
    expect((await proxied.get(path, { ...headers, 'x-forwarded-proto': 'https' })).status).toBe(200);
  await proxied.close();
});

test.each(['OPTIONS', 'HEAD', 'PROPFIND', 'PUT', 'PATCH', 'DELETE'])('%s is passed on', async (method) => {
  const response = await fetch(`${gateway.url}/v1/webhooks/1`, { method, headers: as(gateway.auth.issue()) });
  expect(response.status).toBe(200);
});

test('an Upgrade header is ignored', async () => {
  const answer = await raw(
    `GET /v1/webhooks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.auth.issue()}\r\nX-Service-Account: wdc\r\n` +
      'Upgrade: h2c\r\nConnection: Upgrade, close\r\n\r\n',
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).not.toContain('h2c');
});

test.each([
  'GET /v1/webhooks',
  'GET /v1/rate_limit',
  'GET /graphql',
  'POST /graphql',
  'DELETE /graphql',
  'GET /oauth/profile',
])('two Authorization headers are ambiguous: %s is 400', async (target) => {
  const token = gateway.auth.issue();
  for (const [one, two] of [
    [token, 'junk'],
    ['junk', token],
    [token, token],
  ]) {
    const answer = await raw(
      `${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${one}\r\nAuthorization: Bearer ${two}\r\n` +
        'X-Service-Account: wdc\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"message":"More than one Authorization header"');
  }
});

test('a client that disconnects does not affect others', async () => {
  const headers = as(gateway.auth.issue());
  const signal = AbortSignal.timeout(100);
  await expect(fetch(`${gateway.url}/v1/webhooks/silent`, { headers, signal })).rejects.toThrow();
  expect((await gateway.get('/v1/webhooks/1', headers)).status).toBe(200);
});

test('a browser at the root is redirected to the profile', async () => {
  const response = await gateway.get('/');
  expect([response.status, response.headers.get('location')]).toEqual([302, '/oauth/profile']);
});

import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';
import { connections } from '../transport/upstreams';

let server: Server;
let gateway: StartedGateway;
/** Requests there stay pending until the test resolves them. */
let waiting: (() => void)[];
beforeAll(async () => {
  waiting = [];
  server = createServer((req, res) => {
    if (req.url === '/console/slow') return void waiting.push(() => res.end('{}'));
    let bytes = 0;
    req.on('data', (chunk: Buffer) => (bytes += chunk.length));
    req.on('end', () => {
      res.setHeader('Set-Cookie', ['one=1; Path=/', 'two=2; Path=/']);
      res.end(JSON.stringify({ by: 'console', method: req.method, url: req.url, headers: req.headers, bytes }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  gateway = await startGateway({
    env: {
      BASE_URL: 'https://itsm.example',
      ACCOUNT_URL: 'https://{account}.itsm.example',
      ALLOW_PLAIN_HTTP: 'true',
      CONSOLE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
  });
});
afterAll(async () => {
  await gateway.close();
  server.closeAllConnections();
  server.close();
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}
interface Options {
  readonly host?: string;
  readonly method?: string;
  readonly headers?: object;
  readonly body?: string;
}

/** Sends a `Host` header, which `fetch` would not. */
const ask = (path: string, { host = 'itsm.example', method = 'GET', headers = {}, body = '' }: Options = {}) =>
  new Promise<Answer>((resolve, reject) => {
    const { hostname, port } = new URL(gateway.url);
    request({ hostname, port, path, method, agent: false, headers: { ...headers, host } }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    })
      .on('error', reject)
      .end(body);
  });

interface Echo {
  readonly by?: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly bytes: number;
}
const echoOf = ({ text }: Answer): Echo => JSON.parse(text) as Echo;

test.each([
  '/',
  '/?x=1',
  '/accounts/wdc',
  '/accounts/wdc/requests/101',
  '/accounts/wdc/webhooks/7',
  '/console/session',
])('%s is answered by the console', async (path) => {
  const answer = await ask(path);
  expect(echoOf(answer)).toMatchObject({ by: 'console', url: path });
  expect(answer.headers['set-cookie']).toEqual(['one=1; Path=/', 'two=2; Path=/']);
});

test.each([
  '/accounts/wdc/webhooks/7/verify?code=a',
  '/accounts/wdc/webhooks/7/page?token=a',
  '/accounts/wdc/webhooks/7/resend',
  '/accounts/wdc/webhook_policies/p/jwks',
  '/oauth/profile',
])('%s is still answered by its service', async (path) => {
  expect(echoOf(await ask(path))).not.toHaveProperty('by');
});

test.each([
  ['/graphql', 'itsm.example'],
  ['/', 'graphql.itsm.example'],
])('a browser at %s of %s is led to the explorer of the console, other requests are not', async (path, host) => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const { status, headers } = await ask(path, { host, headers: { accept } });
  expect([status, headers.location]).toEqual([302, 'https://itsm.example/console/explorer']);
  expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'referrer-policy': 'no-referrer' });
  expect(headers.vary).toContain('Accept');
  for (const more of [{}, { accept, authorization: 'Bearer of-nobody' }, { accept: 'application/json' }])
    expect((await ask(path, { host, headers: more })).status).toBe(401);
  expect((await ask(`${path}?query={me{id}}`, { host, headers: { accept } })).status).toBe(405);
});

test('cookies go to the console and to auth, credentials to auth alone, and clients cannot forge the identity headers', async () => {
  const headers = {
    cookie: 'console=sealed',
    authorization: 'Bearer of-somebody',
    dpop: 'a proof',
    'x-service-account': 'wdc',
    'x-console': 'wdc',
    'sec-fetch-site': 'same-origin',
    'x-forwarded-for': '192.0.2.1',
  };
  const seenAt = async (path: string) => echoOf(await ask(path, { headers })).headers;
  for (const path of ['/', '/console/session']) {
    const seen = await seenAt(path);
    expect(seen).toMatchObject({
      cookie: 'console=sealed',
      'x-console': 'wdc',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'itsm.example',
    });
    for (const name of ['authorization', 'dpop', 'x-service-account']) expect(seen).not.toHaveProperty(name);
  }
  // The pages need no cookie.
  expect(await seenAt('/accounts/wdc')).not.toHaveProperty('cookie');
  expect(await seenAt('/accounts/wdc/webhook_policies/p/jwks')).not.toHaveProperty('cookie');
  expect(await seenAt('/oauth/profile')).toMatchObject({
    cookie: 'console=sealed',
    authorization: 'Bearer of-somebody',
  });
});

test.each([
  ['wdc.itsm.example', '/requests/101?x=1', 'https://itsm.example/accounts/wdc/requests/101?x=1'],
  ['wdc.itsm.example', '/', 'https://itsm.example/accounts/wdc/'],
  ['wdc.itsm.example', '/console/session', 'https://itsm.example/accounts/wdc/console/session'],
  ['api.itsm.example', '/', 'https://itsm.example/'],
  ['api.itsm.example', '/console/sign-in', 'https://itsm.example/console/sign-in'],
])('the console has one origin: %s%s redirects to %s', async (host, path, location) => {
  const { status, headers } = await ask(path, { host });
  expect([status, headers.location, headers['set-cookie']]).toEqual([302, location, undefined]);
});

test('on other origins nothing is written and nothing is served', async () => {
  expect((await ask('/console/sign-out', { host: 'api.itsm.example', method: 'POST' })).status).toBe(404);
  expect((await ask('/requests', { host: 'wdc.itsm.example', method: 'POST' })).status).toBe(404);
  expect((await ask('/console/session', { host: 'console.itsm.example' })).status).toBe(421);
  for (const path of ['/consoles', '/accountsx', '/v2', '/nothing']) expect((await ask(path)).status).toBe(404);
});

test('pages of other origins may not read what a cookie authorises', async () => {
  const headers = { origin: 'https://other.example', 'access-control-request-method': 'POST' };
  for (const method of ['GET', 'OPTIONS']) {
    const answer = await ask('/console/graphql', { method, headers });
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  }
});

test('the body limit is that of the route behind the console', async () => {
  const post = async (path: string, length: number) =>
    (await ask(path, { method: 'POST', body: 'x'.repeat(length) })).status;
  const megabyte = 1024 * 1024;
  expect(await post('/console/graphql', megabyte)).toBe(200);
  expect(await post('/console/graphql', megabyte + 1)).toBe(413);
  expect(await post('/console/v1/ui_extensions/1', 2 * megabyte)).toBe(200);
  expect(await post('/console/v1/ui_extensions/1', 2 * megabyte + 1)).toBe(413);
  expect(await post('/console/v1/import', 3 * megabyte)).toBe(200);
  expect(await post('/console/v1/attachments', 3 * megabyte)).toBe(200);
});

test('the limit per address does not apply to the console, which counts by session: a whole company may share one address', async () => {
  const asked = Array.from({ length: 200 }, () => ask('/console/slow'));
  await waitUntil('half of the connections to be in use', () => waiting.length === connections.passedOn / 2);
  const elsewhere = await ask('/oauth/profile');
  expect(elsewhere.status).toBe(200);
  const answered = Promise.all(asked);
  let done = 0;
  while (done < asked.length) {
    await waitUntil('those who wait', () => waiting.length > 0);
    for (const answer of waiting.splice(0)) {
      answer();
      done += 1;
    }
  }
  expect((await answered).map(({ status }) => status)).toEqual(Array(200).fill(200));
});

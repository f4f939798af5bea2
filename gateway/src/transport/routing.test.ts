import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

const env = {
  BASE_URL: 'https://itsm.example',
  ACCOUNT_URL: 'https://{account}.itsm.example',
  ALLOW_PLAIN_HTTP: 'true',
};
let gateway: StartedGateway;
let proxied: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway({ env });
  proxied = await startGateway({ env: { ...env, TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(async () => {
  await gateway.close();
  await proxied.close();
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends the `Host` header of a client at `https://<host>`, which `fetch` would not. */
const ask = (
  host: string,
  target: string,
  {
    to = gateway,
    method = 'GET',
    headers = {},
    body = '',
  }: { to?: StartedGateway; method?: string; headers?: object; body?: string } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(to.url);
    request({ hostname, port, path: target, method, headers: { ...headers, host } }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    })
      .on('error', reject)
      .end(body);
  });
/** The URL that the service received. */
const urlIn = ({ text }: Answer): string => (JSON.parse(text) as { url: string }).url;

const as = (token: string) => ({ authorization: `Bearer ${token}`, 'x-service-account': 'wdc' });
const call = (token: string) => ({
  method: 'POST',
  headers: { ...as(token), 'content-type': 'application/json' },
  body: '{"query":"{ me { id } }"}',
});

test.each([
  ['wdc.itsm.example', '/webhooks/1/verify?code=a', '/accounts/wdc/webhooks/1/verify?code=a'],
  ['WDC.itsm.example.:443', '/webhooks/1/verify', '/accounts/wdc/webhooks/1/verify'],
  ['wdc.itsm.example', '/webhook_policies/p/jwks', '/accounts/wdc/webhook_policies/p/jwks'],
  [
    'wdc.itsm.example',
    '/webhook_policies/p/.well-known/openid-configuration',
    '/accounts/wdc/webhook_policies/p/.well-known/openid-configuration',
  ],
  ['oauth.itsm.example', '/token', '/oauth/token'],
  ['oauth.itsm.example', '/authorize?client_id=x', '/oauth/authorize?client_id=x'],
  ['oauth.itsm.example', '/revoke', '/oauth/revoke'],
  ['oauth.itsm.example', '/introspect', '/oauth/introspect'],
  ['oauth.itsm.example', '/jwks', '/oauth/jwks'],
  ['oauth.itsm.example', '/sign-in', '/oauth/sign-in'],
  ['oauth.itsm.example', '/oauth/profile', '/oauth/profile'],
  ['oauth.itsm.example', '/.well-known/oauth-authorization-server', '/.well-known/oauth-authorization-server'],
  ['api.itsm.example', '/oauth/jwks', '/oauth/jwks'],
])('https://%s%s is %s', async (host, target, meant) => {
  expect(urlIn(await ask(host, target))).toBe(meant);
});

test('the endpoint is at the root of its host, and the API at its own', async () => {
  const token = gateway.auth.issue();
  for (const target of ['/', '/graphql', '/graphql/'])
    expect(JSON.parse((await ask('graphql.itsm.example', target, call(token))).text)).toEqual({
      data: { me: { id: '1' } },
    });
  expect((await ask('api.itsm.example', '/v1/webhooks', { headers: as(token) })).status).toBe(200);
});

test('pages of other origins may call the endpoint at the root of its host', async () => {
  const { headers } = await ask('graphql.itsm.example', '/', {
    ...call(gateway.auth.issue()),
    headers: { ...call(gateway.auth.issue()).headers, origin: 'https://app.example' },
  });
  expect(headers['access-control-allow-origin']).toBe('*');
});

test.each([
  '/',
  '/requests/1',
  '/requests?query=x%20y',
  '/v1/webhooks',
  '/oauth/profile',
  '/graphql',
  '/accounts/acme/webhooks/1/verify',
])('the host of an account redirects %s to BASE_URL', async (target) => {
  const { status, headers } = await ask('wdc.itsm.example', target);
  expect([status, headers.location]).toEqual([302, `https://itsm.example/accounts/wdc${target}`]);
});

test('the host of an account takes no calls of the API, and no sign-in', async () => {
  const token = gateway.auth.issue();
  for (const target of ['/graphql', '/', '/v1/webhooks', '/oauth/token', '/oauth/sign-in'])
    expect([target, (await ask('wdc.itsm.example', target, call(token))).status]).toEqual([target, 404]);
});

test.each([
  '//evil.example/',
  '/../acme/webhooks/1',
  '/%2e%2e/acme/webhooks/1',
  '/webhooks/..%2f..%2facme',
  '/\\evil.example',
])('on the host of an account %s is not found', async (target) => {
  expect((await ask('wdc.itsm.example', target)).status).toBe(404);
});

test.each(['www.itsm.example', 'status.itsm.example', 'a.b.itsm.example', '_x.itsm.example'])(
  '%s below the domain is no part of the platform',
  async (host) => {
    const { status, text } = await ask(host, '/oauth/jwks');
    expect([status, JSON.parse(text)]).toEqual([421, { message: 'Misdirected Request' }]);
    expect((await ask(host, '/graphql', call(gateway.auth.issue()))).status).toBe(421);
  },
);

test.each(['127.0.0.1:4000', '[::1]:4000', 'localhost', 'gateway.itsm.svc.cluster.local', 'x'])(
  '%s, which is not below the domain, reaches the platform',
  async (host) => {
    expect(urlIn(await ask(host, '/oauth/jwks'))).toBe('/oauth/jwks');
  },
);

test('X-Forwarded-Host counts from a trusted proxy alone, and of several values the one that it added', async () => {
  const given = (host: string) => ({ headers: { 'x-forwarded-host': host, 'x-forwarded-proto': 'https' } });
  const target = '/webhooks/1/verify';
  const meant = '/accounts/wdc/webhooks/1/verify';
  expect(urlIn(await ask('gateway', target, { to: proxied, ...given('wdc.itsm.example') }))).toBe(meant);
  expect(urlIn(await ask('gateway', target, { to: proxied, ...given('acme.itsm.example, wdc.itsm.example') }))).toBe(
    meant,
  );
  expect((await ask('gateway', target, given('wdc.itsm.example'))).status).toBe(404);
  expect(urlIn(await ask('wdc.itsm.example', target, given('acme.itsm.example')))).toBe(meant);
});

test('plain http is refused at every host', async () => {
  const secured = await startGateway({ env: { ...env, ALLOW_PLAIN_HTTP: 'false', TRUSTED_PROXIES: '127.0.0.1' } });
  for (const host of ['wdc.itsm.example', 'oauth.itsm.example', 'graphql.itsm.example', 'api.itsm.example'])
    for (const target of ['/', '/webhooks/1/verify', '/token']) {
      const { status, text } = await ask(host, target, { to: secured, headers: { 'x-forwarded-proto': 'http' } });
      expect([host, target, status, JSON.parse(text)]).toMatchObject([
        host,
        target,
        400,
        { message: 'HTTPS is required' },
      ]);
    }
  await secured.close();
});

describe('where HOSTS names the further hosts', () => {
  let strict: StartedGateway;
  beforeAll(async () => {
    const hosts = { HOSTS: 'gateway, 127.0.0.1:4000, [::1]:4000' };
    strict = await startGateway({ env: { ...env, ...hosts } });
  });
  afterAll(() => strict.close());

  /** The answer to a request that is sent as it stands; `http` gives each request one `Host`. */
  async function raw(lines: readonly string[]): Promise<string> {
    const socket = connect(Number(new URL(strict.url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
    await once(socket, 'close');
    return answer;
  }
  const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1]);

  test.each([
    'itsm.example',
    'itsm.example:443',
    'ITSM.Example.',
    'API.itsm.example.:443',
    'gateway',
    'gateway:4000',
    'GATEWAY.:80',
    '127.0.0.1:4000',
    '[::1]:4000',
  ])('%s is answered', async (host) => {
    expect(urlIn(await ask(host, '/oauth/jwks', { to: strict }))).toBe('/oauth/jwks');
    expect((await ask(host, '/graphql', { to: strict, ...call(strict.auth.issue()) })).status).toBe(200);
  });

  test.each([
    'itsm.example:8443',
    'itsm.example:80',
    'wdc.itsm.example:4000',
    'evil.example',
    'itsm.example.evil.example',
    'evilitsm.example',
    'localhost',
    '127.0.0.1',
    '127.0.0.1:4001',
    '127.0.0.2:4000',
    '[::1]',
    '[::2]:4000',
    '::1',
    'itsm.example:x',
    'gateway@evil.example',
    '',
  ])('%j is refused, by GraphQL too, without a call to a service', async (host) => {
    const before = strict.graph.asked();
    const { status, text } = await ask(host, '/oauth/jwks', { to: strict });
    expect([status, JSON.parse(text)]).toEqual([421, { message: 'Misdirected Request' }]);
    const query = { ...call(strict.auth.issue()), body: '{"query":"{ requests(first: 1) { totalCount } }"}' };
    expect((await ask(host, '/graphql', { to: strict, ...query })).status).toBe(421);
    expect(strict.graph.asked()).toBe(before);
  });

  test('the authority of an absolute target counts, not Host', async () => {
    const target = (authority: string) => `GET http://${authority}/oauth/jwks HTTP/1.1`;
    expect(statusOf(await raw([target('evil.example'), 'Host: itsm.example']))).toBe(421);
    expect(statusOf(await raw([target('itsm.example:4000'), 'Host: itsm.example']))).toBe(421);
    expect(statusOf(await raw([target('itsm.example'), 'Host: evil.example']))).toBe(200);
  });

  test.each(['GET /oauth/jwks HTTP/1.1', 'POST /graphql HTTP/1.1'])(
    '%s with two Host headers, or with none, is 400',
    async (line) => {
      const rest = line.startsWith('POST') ? ['Content-Length: 0'] : [];
      expect(statusOf(await raw([line, 'Host: itsm.example', 'Host: evil.example', ...rest]))).toBe(400);
      expect(statusOf(await raw([line, 'Host: itsm.example', 'host: itsm.example', ...rest]))).toBe(400);
      expect(statusOf(await raw([line, ...rest]))).toBe(400);
    },
  );

  test('HTTP/1.0 without a Host is refused: it names no host', async () => {
    expect(statusOf(await raw(['GET /oauth/jwks HTTP/1.0']))).toBe(421);
  });

  test('of a proxy its X-Forwarded-Host counts', async () => {
    const behind = await startGateway({ env: { ...env, HOSTS: 'gateway', TRUSTED_PROXIES: '127.0.0.1' } });
    const by = (host: string) => ({ to: behind, headers: { 'x-forwarded-host': host, 'x-forwarded-proto': 'https' } });
    expect((await ask('gateway', '/oauth/jwks', by('api.itsm.example'))).status).toBe(200);
    expect((await ask('gateway', '/oauth/jwks', by('evil.example'))).status).toBe(421);
    await behind.close();
  });
});

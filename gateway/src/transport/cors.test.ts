import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { loadConfig } from '../config';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

let gateway: StartedGateway;
let strict: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway();
  strict = await startGateway({ env: { CORS_ORIGINS: 'https://app.example.com' } });
});
afterAll(async () => {
  await gateway.close();
  await strict.close();
});

const ask = (at: StartedGateway, method: string, path: string, headers: Record<string, string>) =>
  fetch(at.url + path, { method, headers, redirect: 'manual' });
const preflight = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization, x-service-account',
};
const app = { origin: 'https://app.example.com' };

test.each([
  '/graphql',
  '/graphql/',
  '/v1/webhooks',
  '/ui_extensions',
  '/oauth/token',
  '/.well-known/oauth-authorization-server',
])('a page of another origin may call %s; the preflight needs no token', async (path) => {
  const response = await ask(gateway, 'OPTIONS', path, { ...app, ...preflight });
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('access-control-allow-methods')).toContain('DELETE');
  expect(response.headers.get('access-control-allow-headers')).toBe('authorization, x-service-account');
});

test.each(['/oauth/authorize', '/oauth/sign_in', '/', '/oauth/profile'])(
  'no page of another origin may read %s, where cookies count',
  async (path) => {
    const response = await ask(gateway, 'OPTIONS', path, { ...app, ...preflight });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect((await ask(gateway, 'GET', path, app)).headers.get('access-control-allow-origin')).toBeNull();
  },
);

test('the limits can be read by the page, also in a refusal', async () => {
  const known = { ...app, authorization: `Bearer ${gateway.auth.issue()}`, 'x-service-account': 'wdc' };
  const answers = [
    await gateway.post(gateway.auth.issue(), { query: '{ me { id } }' }, app),
    await gateway.post('junk', { query: '{ me { id } }' }, app),
    await ask(gateway, 'GET', '/v1/webhooks', known),
    await ask(gateway, 'GET', '/v1/webhooks', app),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 200, 401]);
  for (const { headers } of answers) {
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('access-control-expose-headers')).toContain('X-RateLimit-remaining, X-RateLimit-reset');
    expect(headers.get('access-control-expose-headers')).toContain('X-CostLimit-remaining');
  }
});

test('only the origins of the setting may call', async () => {
  const allowed = await ask(strict, 'OPTIONS', '/graphql', { ...app, ...preflight });
  expect([allowed.status, allowed.headers.get('access-control-allow-origin'), allowed.headers.get('vary')]).toEqual([
    204,
    'https://app.example.com',
    'Origin',
  ]);
  const other = await ask(strict, 'OPTIONS', '/graphql', {
    ...preflight,
    origin: 'https://app.example.com.evil.example',
  });
  expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([405, null]);
});

test.each(['app.example.com', 'https://app.example.com/', 'https://*.example.com/x', 'javascript:x'])(
  'the setting %s is refused',
  (origins) => {
    expect(() => loadConfig({ CORS_ORIGINS: origins })).toThrow('CORS_ORIGINS');
  },
);

test('pages call the endpoint at the root of its own host as well', async () => {
  const { port } = new URL(gateway.url);
  const asked = await new Promise<IncomingMessage>((resolve) => {
    request({
      port,
      method: 'OPTIONS',
      path: '/',
      headers: { host: 'graphql.localhost', origin: 'https://app.example', 'access-control-request-method': 'POST' },
    })
      .on('response', resolve)
      .end();
  });
  asked.resume();
  expect([asked.statusCode, asked.headers['access-control-allow-origin']]).toEqual([204, '*']);
});

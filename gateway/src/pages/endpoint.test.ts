import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

test('without a console a browser gets a page about the endpoint, without script', async () => {
  for (const path of ['/graphql', '/graphql/']) {
    const response = await gateway.get(path, browser);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers.get('vary')).toContain('Accept');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    const policy = response.headers.get('content-security-policy')?.split('; ') ?? [];
    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'"]));
    expect(policy.some((directive) => directive.startsWith('script-src'))).toBe(false);
    const page = await response.text();
    expect(page).toContain('<h1>GraphQL</h1>');
    expect(page).not.toMatch(/<script/i);
    expect(page).toContain('Accept: text/plain');
  }
});

test('the documentation and the profile that the page links to are there', async () => {
  const page = await (await gateway.get('/graphql', browser)).text();
  for (const address of ['/docs/v1/graphql', '/oauth/profile']) {
    expect(page).toContain(`href="${address}"`);
    expect((await gateway.get(address, browser)).status).toBe(200);
  }
});

test('over plain http from other machines a browser gets a refusal', async () => {
  const proxied = await startGateway({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  const refused = await proxied.get('/graphql', { ...browser, 'x-forwarded-proto': 'http' });
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('HTTPS is required')]);
  expect((await proxied.get('/graphql', { ...browser, 'x-forwarded-proto': 'https' })).status).toBe(200);
  await proxied.close();
});

test.each([{}, { accept: '*/*' }, { accept: 'application/json' }, { accept: 'text/plain' }])(
  'who asks with %j wants the schema, for which a token is needed',
  async (headers) => {
    expect((await gateway.get('/graphql', headers)).status).toBe(401);
    const authorization = `Bearer ${gateway.auth.issue()}`;
    expect((await gateway.get('/graphql', { ...headers, authorization })).status).toBe(200);
  },
);

test.each([
  browser,
  // The default of Java's HttpURLConnection.
  { accept: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2' },
  { accept: 'text/html' },
  { accept: 'image/png' },
  { accept: 'application/json, text/plain, */*' },
])('a request with a token gets the schema with %j too', async (headers) => {
  const response = await gateway.get('/graphql', { ...headers, authorization: `Bearer ${gateway.auth.issue()}` });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  expect(await response.json()).toMatchObject({ data: { __schema: { queryType: { name: 'Query' } } } });
});

test('a query in the address is refused for browsers too', async () => {
  expect((await gateway.get('/graphql?query={me{id}}', browser)).status).toBe(405);
});

test('there is nothing below the endpoint', async () => {
  for (const path of ['/graphql/explorer', '/graphql/explorer/explorer.js', '/graphql/__proto__'])
    expect((await gateway.get(path, browser)).status).toBe(404);
});

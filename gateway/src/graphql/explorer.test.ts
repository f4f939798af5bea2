import { get } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

test('a browser gets GraphiQL at the endpoint, with scripts of this origin only', async () => {
  for (const path of ['/graphql', '/graphql/']) {
    const response = await gateway.get(path, browser);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = response.headers.get('content-security-policy')?.split('; ');
    for (const directive of ["default-src 'none'", "script-src 'self'", "worker-src 'self'", "frame-ancestors 'none'"])
      expect(policy).toContain(directive);
    const page = await response.text();
    // Static markup, painted before the editor has loaded.
    expect(page).toContain('<h1>GraphQL explorer</h1>');
    const addresses = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses.every((address) => /^(\/graphql\/explorer\/|data:,$)/.test(address ?? ''))).toBe(true);
    for (const address of addresses.filter((one) => one?.startsWith('/')))
      expect((await gateway.get(address ?? '')).status).toBe(200);
  }
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

test('the files that block the first paint are small', async () => {
  const { headers } = await gateway.get('/graphql/explorer/explorer.css', { 'accept-encoding': 'gzip' });
  expect(Number(headers.get('content-length'))).toBeLessThan(45_000);
});

test('bundles are compressed when the client accepts it, and cacheable', async () => {
  const plain = await gateway.get('/graphql/explorer/graphql.worker.js', { 'accept-encoding': 'identity' });
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(plain.headers.get('cache-control')).toBe('public, max-age=86400');
  expect(plain.headers.get('content-type')).toMatch(/^text\/javascript/);
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const headers = { 'accept-encoding': 'gzip' };
    get(`${gateway.url}/graphql/explorer/graphql.worker.js`, { headers }, (response) => {
      const chunks: Buffer[] = [];
      expect(response.headers['content-encoding']).toBe('gzip');
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks)));
    }).on('error', reject);
  });
  expect(gunzipSync(bytes).toString()).toBe(await plain.text());
});

test.each([
  '/graphql/explorer/',
  '/graphql/explorer/nothing.js',
  '/graphql/explorer/explorer.js.gz',
  '/graphql/explorer/__proto__',
])('%s does not exist', async (path) => {
  expect((await gateway.get(path)).status).toBe(404);
});

test('a bundle allows GET and HEAD only', async () => {
  const response = await fetch(`${gateway.url}/graphql/explorer/explorer.js`, { method: 'POST' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
});

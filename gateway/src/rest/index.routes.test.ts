import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';
import { findRoute } from './route-table';

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

interface Index {
  readonly resources: Readonly<Record<string, string>>;
}

test.each(['/v1', '/v1/'])('%s names every collection, without a token', async (path) => {
  const response = await gateway.get(path);
  expect(response.status).toBe(200);
  const { resources, ...links } = (await response.json()) as Index;
  expect(Object.keys(resources)).toEqual(
    expect.arrayContaining([
      'account',
      'enums',
      'me',
      'people',
      'requests',
      'webhooks',
      'ui_extensions',
      'import',
      'rate_limit',
      'scopes',
    ]),
  );
  const base = 'http://localhost:4000';
  for (const [name, address] of Object.entries(resources)) expect(address).toBe(`${base}/v1/${name}`);
  expect(links).toEqual({
    graphql_url: `${base}/graphql`,
    authorization_server: `${base}/.well-known/oauth-authorization-server`,
    documentation_url: `${base}/docs/v1`,
  });
});

test('every address that it names is answered: a collection asks for a token, or is the gateway’s own', async () => {
  const { resources } = (await (await gateway.get('/v1')).json()) as Index;
  const own = ['enums', 'rate_limit', 'scopes', 'types'];
  for (const name of Object.keys(resources)) {
    if (!own.includes(name)) expect(findRoute(`/v1/${name}`)).toMatchObject({ access: 'caller' });
    expect((await gateway.get(`/v1/${name}`)).status).toBe(['enums', 'types'].includes(name) ? 200 : 401);
  }
});

test('it takes GET alone', async () => {
  const response = await fetch(`${gateway.url}/v1`, { method: 'POST' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
});

import { compose } from '../supergraph/supergraph-source';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const scopesFor = (token: string, of = gateway) => of.get('/v1/scopes', { authorization: `Bearer ${token}` });

test('any caller can list the actions, in any account', async () => {
  const response = await scopesFor(gateway.auth.issue({ scopes: [] }));
  expect(response.status).toBe(200);
  const { actions, fields, types } = (await response.json()) as Record<string, unknown>;
  expect(actions).toEqual(
    expect.arrayContaining([
      { action: 'me:Name', label: 'See your own name and details' },
      { action: '*:Read', label: 'See everything' },
      { action: 'webhook-delivery:Create', label: 'Create webhook deliveries' },
      { action: 'project-task:Delete', label: 'Delete project tasks' },
    ]),
  );
  // The services of this test guard nothing; embedded/src/declared-scopes.test.ts asks the real ones.
  expect([fields, types]).toEqual([{}, {}]);
  expect(response.headers.get('x-ratelimit-limit')).toBe('20');
});

test('needs an active token, GET or HEAD, and the exact path', async () => {
  const token = gateway.auth.issue();
  gateway.auth.revoke(token);
  expect((await scopesFor(token)).status).toBe(401);
  expect((await gateway.get('/v1/scopes')).status).toBe(401);
  const posted = await fetch(`${gateway.url}/v1/scopes`, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
  const below = await gateway.get('/v1/scopes/1', { authorization: `Bearer ${gateway.auth.issue()}` });
  expect(below.status).toBe(404);
});

test('it counts as a request', async () => {
  const token = gateway.auth.issue();
  const statuses = await Promise.all(Array.from({ length: 21 }, async () => (await scopesFor(token)).status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});

test('a fixed graph declares no scopes: 404', async () => {
  const fixed = await startGateway({
    env: { SUPERGRAPH: compose(new Map([['graph', 'type Query { fixed: String }']])) },
  });
  expect((await scopesFor(fixed.auth.issue(), fixed)).status).toBe(404);
  await fixed.close();
});

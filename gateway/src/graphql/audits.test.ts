import { auditServer } from 'graphql-http';
import { startGateway } from '../testing/start-gateway';

/** Audits of operations by GET, which do not apply: GET serves the schema only (spec: GraphQL). */
const excused = [
  'MAY accept application/x-www-form-urlencoded formatted GET requests',
  'MAY allow URL-encoded JSON string {variables} parameter in GETs when accepting application/graphql-response+json',
  'MAY allow URL-encoded JSON string {variables} parameter in GETs when accepting application/json',
];

test('the server audits of GraphQL over HTTP pass, except those that send operations by GET', async () => {
  const gateway = await startGateway();
  const results = await auditServer({
    url: `${gateway.url}/graphql`,
    // Each audit uses a caller of its own, so that no request window is exhausted.
    fetchFn: (input: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${gateway.auth.issue()}`);
      headers.set('x-service-account', 'wdc');
      return fetch(input, { ...init, headers });
    },
  });
  await gateway.close();
  const failed = results.filter(({ status }) => status !== 'ok');
  expect(failed.map(({ name }) => name)).toEqual(excused);
  expect(results).toHaveLength(61);
});

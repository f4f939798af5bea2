import { Agent, request } from 'node:http';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { mostInFlight } from '../callers/calls-in-flight';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';
import { connections } from './upstreams';

let gateway: StartedGateway;
const agent = new Agent();
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.close());

let sent = 0;
/** A unique call with a token of its own, so that it is never joined; resolves with the status. */
function call(accountId: string, what: 'requests' | 'me' | 'rest'): Promise<number> {
  const headers = {
    authorization: `Bearer ${gateway.auth.issue({ accounts: { [accountId]: ['specialist'] } })}`,
    'x-service-account': accountId,
    'content-type': 'application/json',
  };
  const path = what === 'rest' ? '/v1/requests' : '/graphql';
  const outgoing = request(gateway.url + path, { method: what === 'rest' ? 'GET' : 'POST', headers, agent });
  sent += 1;
  const fields = { requests: 'requests(first: 1) { totalCount }', me: 'me { name }', rest: '' }[what];
  outgoing.end(what === 'rest' ? undefined : JSON.stringify({ query: `query Q${sent} { ${fields} }` }));
  return new Promise((resolve) => {
    outgoing.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)));
    outgoing.on('error', () => resolve(0));
  });
}
const many = (accountId: string, what: Parameters<typeof call>[1]) =>
  Array.from({ length: mostInFlight.account }, () => call(accountId, what));

test("accounts that use their full share of a service's connections leave room for others: one account, and two", async () => {
  const release = gateway.graph.hang();
  const { inTurns } = connections.pool;
  const calls = many('wdc', 'requests');
  await waitUntil('half of the connections to be in use', () => gateway.graph.asked() === inTurns / 2);
  calls.push(...many('acme', 'requests'));
  await waitUntil('as many to be used as are free', () => gateway.graph.asked() === (inTurns * 3) / 4);
  const third = call('umbrella', 'requests');
  await waitUntil('another account to be at the service', () => gateway.graph.asked('umbrella') === 1);
  release();
  expect(await third).toBe(200);
  expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
});

test('proxied REST calls leave room for others as well, and none of them is lost', async () => {
  const release = gateway.graph.hang();
  const accounts = ['a1', 'a2', 'a3', 'a4', 'a5'];
  const calls = accounts.flatMap((accountId) => many(accountId, 'rest'));
  await waitUntil('connections to be in use', () => gateway.graph.asked() > connections.passedOn - 32);
  const other = call('umbrella', 'rest');
  await waitUntil('another account to be at the service', () => gateway.graph.asked('umbrella') === 1);
  release();
  expect(await other).toBe(200);
  expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
});

test("introspection works while auth's other connections are busy", async () => {
  const release = gateway.auth.hang('/graphql');
  const calls = [...many('wdc', 'me'), ...many('acme', 'me')];
  await waitUntil('auth to be busy', () => gateway.auth.askedFor('/graphql') >= (connections.pool.inTurns * 3) / 4);
  expect(await call('umbrella', 'rest')).toBe(200);
  release();
  expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
});

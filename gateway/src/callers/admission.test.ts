import { accountRevision } from '@itsm/shared/stores/coordination/coordination';
import { createMemoryCoordination } from '@itsm/shared/stores/coordination/memory-coordination';
import { systemClock } from '@itsm/shared/base/time/clock';
import { createTestClock } from '@itsm/shared/testing/test-clock';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway, StartOptions } from '../testing/start-gateway';

const started: StartedGateway[] = [];
async function start(options: StartOptions = {}): Promise<StartedGateway> {
  const gateway = await startGateway(options);
  started.push(gateway);
  return gateway;
}
afterEach(async () => {
  for (const gateway of started.splice(0)) await gateway.close();
});

const query = { query: '{ me { id } }' };
const statusOf = async (gateway: StartedGateway, token: string) => (await gateway.post(token, query)).status;

test('a known caller is not introspected again while no revision moves', async () => {
  const gateway = await start();
  const token = gateway.auth.issue();
  for (let call = 0; call < 6; call += 1) expect(await statusOf(gateway, token)).toBe(200);
  expect(gateway.auth.asked()).toBe(2);
});

test('a revocation that bumped the revision makes the very next call 401, over GraphQL and REST', async () => {
  const gateway = await start();
  const tokens = [gateway.auth.issue(), gateway.auth.issue()];
  for (const token of [...tokens, ...tokens, ...tokens]) expect(await statusOf(gateway, token)).toBe(200);
  for (const token of tokens) gateway.auth.revoke(token);
  await gateway.coordination.bump([accountRevision('wdc')]);
  expect(await statusOf(gateway, tokens[0] ?? '')).toBe(401);
  const rest = await gateway.get('/v1/webhooks', { authorization: `Bearer ${tokens[1]}`, 'x-service-account': 'wdc' });
  expect(rest.status).toBe(401);
  expect(await rest.json()).toEqual({ message: 'Unauthorized' });
});

test('a revocation right after the first call is seen as well', async () => {
  const gateway = await start();
  const token = gateway.auth.issue();
  expect(await statusOf(gateway, token)).toBe(200);
  gateway.auth.revoke(token);
  await gateway.coordination.bump([accountRevision('wdc')]);
  expect(await statusOf(gateway, token)).toBe(401);
});

test('when another person of the account is revoked, the caller is introspected once more and stays', async () => {
  const gateway = await start();
  const token = gateway.auth.issue();
  for (let call = 0; call < 3; call += 1) await statusOf(gateway, token);
  await gateway.coordination.bump([accountRevision('wdc')]);
  for (let call = 0; call < 3; call += 1) expect(await statusOf(gateway, token)).toBe(200);
  expect(gateway.auth.asked()).toBe(3);
});

test('without shared revisions every call is introspected', async () => {
  const gateway = await start({ sharedRevisions: false });
  const token = gateway.auth.issue();
  for (let call = 0; call < 3; call += 1) expect(await statusOf(gateway, token)).toBe(200);
  expect(gateway.auth.asked()).toBe(3);
  gateway.auth.revoke(token);
  expect(await statusOf(gateway, token)).toBe(401);
});

test('a caller JWT that is about to expire is renewed', async () => {
  const { now } = createTestClock();
  const gateway = await start({ now });
  const token = gateway.auth.issue({ exp: Math.floor(now().getTime() / 1000) + 15 });
  for (let call = 0; call < 4; call += 1) expect(await statusOf(gateway, token)).toBe(200);
  expect(gateway.auth.asked()).toBe(4);
});

test('while auth is unreachable, unknown callers get 503 and known ones are served', async () => {
  const gateway = await start();
  const known = gateway.auth.issue();
  const unknown = gateway.auth.issue();
  for (let call = 0; call < 2; call += 1) await statusOf(gateway, known);
  await gateway.authServer.stop();
  const refused = await gateway.post(unknown, query);
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({
    message: 'Service Unavailable',
    errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }],
  });
  expect((await gateway.post(known, { query: '{ rateLimit { cost } }' })).status).toBe(200);
  await gateway.authServer.start();
  expect(await statusOf(gateway, unknown)).toBe(200);
});

test('an unreadable answer of auth is 503: the gateway fails closed', async () => {
  const gateway = await start({ env: { INTROSPECTION_SECRET: 'not-the-secret-that-auth-expects-00' } });
  expect(await statusOf(gateway, gateway.auth.issue())).toBe(503);
});

test('an unreachable coordination store is 503: the gateway fails closed', async () => {
  const coordination = createMemoryCoordination({ now: systemClock });
  let down = false;
  const gateway = await start({
    coordination: {
      ...coordination,
      take: (windows, revisions) =>
        down ? Promise.reject(new Error('ECONNREFUSED')) : coordination.take(windows, revisions),
    },
  });
  const token = gateway.auth.issue();
  expect(await statusOf(gateway, token)).toBe(200);
  down = true;
  expect(await statusOf(gateway, token)).toBe(503);
  const headers = { authorization: `Bearer ${token}`, 'x-service-account': 'wdc' };
  for (const path of ['/v1/rate_limit', '/v1/webhooks']) expect((await gateway.get(path, headers)).status).toBe(503);
});

test('the account header has the names that the operator lists', async () => {
  const gateway = await start({ env: { ACCOUNT_HEADER_ALIASES: 'X-Other-Account, X-Third' } });
  const token = gateway.auth.issue();
  const account = '{ requests(first: 1) { nodes { account } } }';
  const ask = async (headers: Record<string, string>) => {
    const authorization = `Bearer ${token}`;
    return fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query: account }),
    });
  };
  expect(await (await ask({ 'x-other-account': 'wdc' })).json()).toEqual({
    data: { requests: { nodes: [{ account: 'wdc' }, { account: 'wdc' }].slice(0, 1) } },
  });
  expect((await ask({ 'x-third': 'acme' })).status).toBe(403);
  expect((await ask({ 'x-third': 'acme', 'x-service-account': 'wdc' })).status).toBe(400);
  expect((await ask({})).status).toBe(400);
});

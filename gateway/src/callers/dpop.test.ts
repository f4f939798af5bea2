import { request as requestHttp } from 'node:http';
import { accountRevision } from '@itsm/shared/stores/coordination/coordination';
import { createMemoryCoordination } from '@itsm/shared/stores/coordination/memory-coordination';
import { makeDpopKey, proofOf } from '@itsm/shared/testing/dpop';
import type { DpopKey } from '@itsm/shared/testing/dpop';
import { createTestClock } from '@itsm/shared/testing/test-clock';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway, StartOptions } from '../testing/start-gateway';

/** One for the gateways and for the client. */
const clock = createTestClock();
const started: StartedGateway[] = [];
async function start(options: StartOptions = {}): Promise<StartedGateway> {
  const gateway = await startGateway({ now: clock.now, ...options });
  started.push(gateway);
  return gateway;
}
let key: DpopKey;
let other: DpopKey;
beforeAll(async () => {
  [key, other] = [await makeDpopKey(), await makeDpopKey()];
});
afterEach(async () => {
  for (const gateway of started.splice(0)) await gateway.close();
});

const base = 'http://localhost:4000';
const graphql = `${base}/graphql`;
const webhooks = `${base}/v1/webhooks`;
const query = { query: '{ me { id } }' };

type Made = Omit<Partial<Parameters<typeof proofOf>[1]>, 'accessToken'>;
const prove = (accessToken: string, made: Made = {}, by = key) =>
  proofOf(by, { method: 'POST', address: graphql, accessToken, now: clock.now(), ...made });
const call = (gateway: StartedGateway, token: string, proof?: string, scheme = 'DPoP') =>
  gateway.post(undefined, query, { authorization: `${scheme} ${token}`, ...(proof !== undefined && { dpop: proof }) });
const read = (gateway: StartedGateway, token: string, proof: string, path = '/v1/webhooks') =>
  gateway.get(path, { authorization: `DPoP ${token}`, dpop: proof, 'x-service-account': 'wdc' });
const challengeOf = ({ status, headers }: Response) => [status, headers.get('www-authenticate')];
const refusedProof = [401, expect.stringMatching(/^DPoP error="invalid_dpop_proof", .*algs="ES256 /)];
const refusedToken = [401, expect.stringMatching(/^DPoP error="invalid_token", .*algs="ES256 /)];

test('RFC 9449 §7: a bound token is accepted with a proof of its key, over GraphQL and REST, on first sight and when cached', async () => {
  const gateway = await start();
  const token = gateway.auth.issueBound(key.jkt);
  for (let times = 0; times < 4; times += 1) {
    expect((await call(gateway, token, await prove(token))).status).toBe(200);
    expect((await read(gateway, token, await prove(token, { method: 'GET', address: webhooks }))).status).toBe(200);
  }
  expect(gateway.auth.asked()).toBe(2);
});

test('a bound token as Bearer, with another key, or without a proof is a 401, known or not', async () => {
  const gateway = await start();
  const token = gateway.auth.issueBound(key.jkt);
  for (let times = 0; times < 3; times += 1) {
    expect(challengeOf(await call(gateway, token, undefined, 'Bearer'))).toEqual(refusedToken);
    expect(challengeOf(await call(gateway, token, await prove(token), 'Bearer'))).toEqual(refusedToken);
    expect(challengeOf(await call(gateway, token, await prove(token, {}, other)))).toEqual(refusedToken);
    expect(challengeOf(await call(gateway, token))).toEqual(refusedProof);
    expect((await call(gateway, token, await prove(token))).status).toBe(200);
  }
});

test('a token that is not bound, such as a personal access token, is refused as DPoP and accepted as Bearer', async () => {
  const gateway = await start();
  const token = gateway.auth.issue();
  for (let times = 0; times < 2; times += 1) {
    expect(challengeOf(await call(gateway, token, await prove(token)))).toEqual(refusedToken);
    expect((await call(gateway, token, undefined, 'Bearer')).status).toBe(200);
  }
});

const bad: [string, (token: string) => Promise<string>][] = [
  ['for another method', (token) => prove(token, { method: 'GET' })],
  ['for another path', (token) => prove(token, { address: webhooks })],
  ['for another server', (token) => prove(token, { address: 'http://evil.example/graphql' })],
  ['for another token', () => prove('itsm_at_other')],
  ['without ath', (token) => prove(token, { claims: { ath: undefined } })],
  ['that is old', (token) => prove(token, { now: new Date(clock.now().getTime() - 130_000) })],
  ['of the future', (token) => prove(token, { now: new Date(clock.now().getTime() + 40_000) })],
  ['of another type', (token) => prove(token, { header: { typ: 'JWT' } })],
  ['that another key has signed', (token) => prove(token, { header: { jwk: other.jwk } })],
  ['that is none', () => Promise.resolve('proof')],
];
test.each(bad)('a proof %s is refused', async (_name, make) => {
  const gateway = await start();
  const token = gateway.auth.issueBound(key.jkt);
  expect(challengeOf(await call(gateway, token, await make(token)))).toEqual(refusedProof);
  expect(gateway.auth.asked()).toBe(0);
});

test("a proof for another server's address is refused, whatever host the request names", async () => {
  const gateway = await start();
  const token = gateway.auth.issueBound(key.jkt);
  const proof = await prove(token, { address: 'http://evil.example/graphql' });
  const { port } = new URL(gateway.url);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { host: 'evil.example', authorization: `DPoP ${token}`, dpop: proof, 'x-service-account': 'wdc' };
    const asked = requestHttp({ port, method: 'POST', path: '/graphql', headers }, (res) => resolve(res.statusCode));
    asked.on('error', reject).end(JSON.stringify(query));
  });
  expect(status).toBe(401);
});

test('on each host of the platform, htu is the public address of that host', async () => {
  const env = { BASE_URL: 'http://itsm.test:4000', ACCOUNT_URL: 'http://{account}.itsm.test:4000' };
  const gateway = await start({ env });
  const token = gateway.auth.issueBound(key.jkt);
  const { port } = new URL(gateway.url);
  const ask = async (host: string, path: string, address: string) => {
    const proof = await prove(token, { address });
    const headers = {
      host,
      authorization: `DPoP ${token}`,
      dpop: proof,
      'x-service-account': 'wdc',
      'content-type': 'application/json',
    };
    return new Promise<number | undefined>((resolve, reject) => {
      const asked = requestHttp({ port, method: 'POST', path, headers }, (res) => resolve(res.resume().statusCode));
      asked.on('error', reject).end(JSON.stringify(query));
    });
  };
  expect(await ask('itsm.test:4000', '/graphql', 'http://itsm.test:4000/graphql')).toBe(200);
  expect(await ask('graphql.itsm.test:4000', '/', 'http://graphql.itsm.test:4000/')).toBe(200);
  expect(await ask('graphql.itsm.test:4000', '/', 'http://graphql.itsm.test:4000')).toBe(200);
  expect(await ask('api.itsm.test:4000', '/graphql', 'http://api.itsm.test:4000/graphql')).toBe(200);
  expect(await ask('graphql.itsm.test:4000', '/', 'http://itsm.test:4000/graphql')).toBe(401);
  expect(await ask('itsm.test:4000', '/graphql', 'http://graphql.itsm.test:4000/')).toBe(401);
});

test('a query in the address of the request is no part of htu', async () => {
  const gateway = await start();
  const token = gateway.auth.issueBound(key.jkt);
  const proof = await prove(token, { method: 'GET', address: webhooks });
  expect((await read(gateway, token, proof, '/v1/webhooks?fields=id')).status).toBe(200);
});

test('a proof is accepted once across all gateways; of many concurrent uses one wins', async () => {
  const coordination = createMemoryCoordination({ now: () => new Date() });
  const one = await start({ coordination });
  const two = await start({ coordination, env: { AUTH_URL: one.authServer.url } });
  const token = one.auth.issueBound(key.jkt);
  for (const isKnown of [false, true]) {
    const proof = await prove(token);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => call(index % 2 ? two : one, token, proof)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 401)]);
    const again = await call(two, token, proof);
    expect([isKnown, ...challengeOf(again)]).toEqual([isKnown, ...refusedProof]);
  }
});

test('rate_limit needs a proof as well, and accepts it once', async () => {
  const gateway = await start();
  const token = gateway.auth.issueBound(key.jkt);
  const path = '/v1/rate_limit';
  const proof = await prove(token, { method: 'GET', address: base + path });
  expect((await read(gateway, token, proof, path)).status).toBe(200);
  expect(challengeOf(await read(gateway, token, proof, path))).toEqual(refusedProof);
  const bearer = await gateway.get(path, { authorization: `Bearer ${token}` });
  expect(challengeOf(bearer)).toEqual(refusedToken);
});

test('a bound token that was revoked is refused at once', async () => {
  const gateway = await start();
  const token = gateway.auth.issueBound(key.jkt);
  for (let times = 0; times < 3; times += 1) await call(gateway, token, await prove(token));
  gateway.auth.revoke(token);
  await gateway.coordination.bump([accountRevision('wdc')]);
  const { status, headers } = await call(gateway, token, await prove(token));
  expect([status, headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringMatching(/^DPoP error="invalid_token".* resource_metadata="/),
  ]);
});

test('while the store is unreachable, used proofs cannot be checked: 503', async () => {
  const coordination = createMemoryCoordination({ now: () => new Date() });
  const isAway = { now: false };
  const gateway = await start({
    coordination: {
      ...coordination,
      take: (...asked) => (isAway.now ? Promise.reject(new Error('away')) : coordination.take(...asked)),
    },
  });
  const token = gateway.auth.issueBound(key.jkt);
  expect((await call(gateway, token, await prove(token))).status).toBe(200);
  isAway.now = true;
  expect((await call(gateway, token, await prove(token))).status).toBe(503);
});

test("services get neither token nor proof; auth gets the client's proof and the address that it was made for", async () => {
  const gateway = await start();
  const token = gateway.auth.issueBound(key.jkt);
  const echoed = (await (
    await read(gateway, token, await prove(token, { method: 'GET', address: webhooks }))
  ).json()) as {
    headers: Record<string, string>;
  };
  expect(echoed.headers).not.toHaveProperty('dpop');
  expect(echoed.headers['authorization']).toMatch(/^Bearer ey/);
  const forged = { dpop: 'proof', 'x-original-uri': 'https://evil.example/' };
  const atAuth = (await (await gateway.get('/oauth/introspect?a=1', forged)).json()) as typeof echoed;
  expect(atAuth.headers).toMatchObject({ dpop: 'proof', 'x-original-uri': `${base}/oauth/introspect` });
});

test('pages of other origins may send a proof and read why it was refused', async () => {
  const gateway = await start();
  const origin = { origin: 'https://app.example' };
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,dpop' };
  const answer = await fetch(graphqlOf(gateway), { method: 'OPTIONS', headers: { ...origin, ...asked } });
  expect(answer.headers.get('access-control-allow-headers')).toBe('authorization,dpop');
  const refused = await fetch(graphqlOf(gateway), { method: 'POST', headers: origin });
  expect(refused.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
});
const graphqlOf = ({ url }: StartedGateway): string => `${url}/graphql`;

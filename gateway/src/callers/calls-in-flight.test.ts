import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { createTestClock } from '@itsm/shared/testing/test-clock';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';
import { connections } from '../transport/upstreams';
import { mostInFlight } from './calls-in-flight';

let sent = 0;
/** Each query is unique, as equal ones would be joined. */
const requests = () => ({ query: `query Held${(sent += 1)} { requests(first: 1) { nodes { subject } } }` });
const me = { query: '{ me { name } }' };

/** A gateway whose clock, and so its request windows, the test controls. */
async function start(env: Record<string, string> = {}, logger?: Logger) {
  const clock = createTestClock();
  const gateway = await startGateway({ env, now: clock.now, ...(logger && { logger }) });
  return { gateway, openWindows: () => clock.pass(3_000) };
}

/** Calls that the service leaves pending until the test aborts them. An account gets half of the connections. */
function hold(gateway: StartedGateway, call: (signal: AbortSignal) => Promise<unknown>, count: number) {
  const atService = Math.min(count, connections.pool.inTurns / 2);
  const leaving = new AbortController();
  const before = gateway.graph.asked();
  const calls = Array.from({ length: count }, () => call(leaving.signal).catch(() => undefined));
  return {
    begun: () => waitUntil('the calls to be under way', () => gateway.graph.asked() - before >= atService),
    async leave() {
      leaving.abort();
      await Promise.all(calls);
    },
  };
}

const callAs =
  (gateway: StartedGateway, token: string) =>
  (signal: AbortSignal): Promise<Response> =>
    fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      signal,
      body: JSON.stringify(requests()),
      headers: {
        'content-type': 'application/json',
        'x-service-account': 'wdc',
        authorization: `Bearer ${token}`,
      },
    });

test('a caller at the limit of calls in flight is refused with a code of its own; others are answered', async () => {
  const { gateway, openWindows } = await start();
  gateway.graph.hang();
  const token = gateway.auth.issue();
  const held = hold(gateway, callAs(gateway, token), mostInFlight.caller);
  await held.begun();
  openWindows();
  const refused = await gateway.post(token, me);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'TOO_MANY_CALLS' } }] });
  const rest = await gateway.get('/v1/webhooks', { authorization: `Bearer ${token}`, 'x-service-account': 'wdc' });
  expect([rest.status, rest.headers.get('retry-after')]).toEqual([429, '1']);
  expect((await gateway.post(gateway.auth.issue(), me)).status).toBe(200);
  await held.leave();
  await waitUntil('room again', async () => (openWindows(), (await gateway.post(token, me)).status === 200));
  await gateway.close();
});

test('when a client disconnects, its request to the service is aborted', async () => {
  const { gateway } = await start();
  gateway.graph.hang();
  const held = hold(gateway, callAs(gateway, gateway.auth.issue()), 3);
  await held.begun();
  expect(gateway.graph.abandoned()).toBe(0);
  await held.leave();
  await waitUntil('the service to be left', () => gateway.graph.abandoned() === 3);
  await gateway.close();
});

test('clients that disconnect before admission are not counted any more', async () => {
  let left = 0;
  const info: Logger['info'] = (_message, facts) =>
    void (left += Number(facts !== undefined && 'finished' in facts && !facts.finished));
  const { gateway, openWindows } = await start({}, { ...silentLogger, info });
  const token = gateway.auth.issue();
  await gateway.post(token, me);
  openWindows();
  const release = gateway.auth.hang('/internal/introspect');
  const leaving = new AbortController();
  const before = gateway.auth.askedFor('/internal/introspect');
  const calls = Array.from({ length: mostInFlight.caller }, () =>
    callAs(gateway, token)(leaving.signal).catch(() => undefined),
  );
  await waitUntil(
    'them to be looked up',
    () => gateway.auth.askedFor('/internal/introspect') - before === mostInFlight.caller,
  );
  leaving.abort();
  await Promise.all(calls);
  await waitUntil('their leaving to be noticed', () => left === mostInFlight.caller);
  release();
  openWindows();
  expect((await gateway.post(token, me)).status).toBe(200);
  openWindows();
  expect((await gateway.post(token, me)).status).toBe(200);
  await gateway.close();
});

test('an account at the limit of calls in flight is refused, another account is not', async () => {
  const { gateway } = await start();
  gateway.graph.hang();
  const held = hold(gateway, (signal) => callAs(gateway, gateway.auth.issue())(signal), mostInFlight.account);
  await held.begun();
  await waitUntil('the account to be full', async () => (await gateway.post(gateway.auth.issue(), me)).status === 429);
  const elsewhere = gateway.auth.issue({ accounts: { acme: ['specialist'] } });
  expect((await gateway.post(elsewhere, me, { 'x-service-account': 'acme' })).status).toBe(200);
  await held.leave();
  await gateway.close();
});

describe('clients that drip bodies without a token', () => {
  let gateway: StartedGateway;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    ({ gateway } = await start({ TRUSTED_PROXIES: '127.0.0.1' }));
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await gateway.close();
  });

  /** A request whose body never ends; resolves with the start of the answer, if there is one. */
  function drip(address: string): Promise<string> {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    sockets.push(socket);
    const head = `Host: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n`;
    socket.on('error', () => undefined);
    socket.write(
      `POST /oauth/token HTTP/1.1\r\nX-Forwarded-Proto: https\r\nX-Forwarded-For: ${address}\r\n${head}\r\ng`,
    );
    return new Promise((resolve) => socket.once('data', (chunk: Buffer) => resolve(String(chunk).slice(9, 12))));
  }
  const from = (address: string) =>
    gateway.get('/oauth/token', { 'x-forwarded-for': address, 'x-forwarded-proto': 'https' });

  test('are limited per address (a /64 of IPv6); other addresses are not affected', async () => {
    const dripping = Array.from({ length: mostInFlight.address }, (_none, n) => drip(`2001:db8::${n + 1}`));
    await waitUntil('the address to be full', async () => (await from('2001:db8::ffff')).status === 429);
    expect((await from('2001:db8:0:1::1')).status).toBe(200);
    expect((await from('203.0.113.7')).status).toBe(200);
    expect(await Promise.race([...dripping, Promise.resolve('none answered')])).toBe('none answered');
    sockets.splice(0, 1)[0]?.destroy();
    await waitUntil('room again', async () => (await from('2001:db8::ffff')).status === 200);
  });
});

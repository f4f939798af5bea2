import { Agent, request } from 'node:http';
import { createOpaqueToken } from '@itsm/shared/base/ids/opaque-token';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';
import { mostInFlight } from './calls-in-flight';

const { lookUps, waitingOfAddress, waitingLookUps } = mostInFlight;
const ofAddress = lookUps / 2 + waitingOfAddress;
const paths = ['/graphql', '/v1/requests', '/v1/rate_limit', '/v1/scopes'] as const;

let gateway: StartedGateway;
let release: () => void;
/** The number of clients that disconnected without an answer. */
let left: number;
const agent = new Agent();
const logger: Logger = {
  ...silentLogger,
  info: (_message, facts) => void (left += Number(facts !== undefined && 'finished' in facts && !facts.finished)),
};
beforeEach(async () => {
  left = 0;
  gateway = await startGateway({ env: { TRUSTED_PROXIES: '127.0.0.1' }, logger });
});
afterEach(async () => {
  release();
  await gateway.close();
});

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

/** Sends a request with a token from `address`; `leave` disconnects. */
function ask(address: string, token: string, path = '/v1/requests') {
  const headers = {
    authorization: `Bearer ${token}`,
    'x-service-account': 'wdc',
    'x-forwarded-for': address,
    'x-forwarded-proto': 'https',
  };
  const outgoing = request(gateway.url + path, { headers, agent });
  const answer = new Promise<Answer>((resolve) => {
    outgoing.on('error', () => resolve({ status: 0, retryAfter: undefined, text: '' }));
    outgoing.on('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += String(chunk)));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text }),
      );
    });
    outgoing.end();
  });
  return { answer, leave: () => outgoing.destroy() };
}
const madeUp = () => createOpaqueToken('pat');
const hang = () => (release = gateway.auth.hang('/internal/introspect'));
const lookedUp = () => gateway.auth.askedFor('/internal/introspect');

test('lookups of invented tokens are limited per address; neither known callers nor other addresses wait', async () => {
  const known = gateway.auth.issue();
  const other = gateway.auth.issue();
  for (let call = 0; call < 2; call += 1) await ask('203.0.113.1', known).answer;
  hang();
  const before = lookedUp();
  const asked = Array.from({ length: ofAddress + 1 }, (_none, n) =>
    ask(`2001:db8::${n + 1}`, madeUp(), paths[n % paths.length]),
  );
  expect((await Promise.race(asked.map(({ answer }) => answer))).status).toBe(429);
  for (const path of paths) {
    const refused = await ask('2001:db8::eeee', madeUp(), path).answer;
    expect([path, refused.status, refused.retryAfter]).toEqual([path, 429, '1']);
    if (path === '/graphql') expect(refused.text).toContain('TOO_MANY_CALLS');
  }
  expect(lookedUp() - before).toBe(lookUps / 2);
  expect((await ask('2001:db8::1', known).answer).status).toBe(200);
  const elsewhere = ask('203.0.113.1', other);
  await waitUntil('another address to be looked up', () => lookedUp() - before === lookUps / 2 + 1);

  // Clients that disconnect while they wait are not looked up.
  for (const { leave } of asked) leave();
  await Promise.all(asked.map(({ answer }) => answer));
  await waitUntil('their leaving to be noticed', () => left === ofAddress);
  release();
  expect((await elsewhere.answer).status).toBe(200);
  expect((await ask('2001:db8::1', madeUp()).answer).status).toBe(401);
  expect(lookedUp() - before).toBe(lookUps / 2 + 2);
});

test('a thousand lookups of all addresses together wait; one more is refused', async () => {
  hang();
  const before = lookedUp();
  const networks = Math.ceil((lookUps + waitingLookUps) / waitingOfAddress) + 1;
  const asked = Array.from({ length: networks * waitingOfAddress }, (_none, n) =>
    ask(`2001:db8:0:${(n % networks).toString(16)}::1`, madeUp()),
  );
  const refused = await Promise.race(asked.map(({ answer }) => answer));
  expect([refused.status, refused.retryAfter]).toEqual([503, '1']);
  expect(lookedUp() - before).toBeLessThanOrEqual(lookUps);
  for (const { leave } of asked) leave();
});

import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { mostInFlight } from '../sessions/calls-in-flight';
import { sessionCookie, startConsole } from '../testing/start-console';
import type { StartedConsole } from '../testing/start-console';

let started: StartedConsole;
let server: Server;
/** Pending calls at the gateway, by the account of the page. */
let held: string[];
const agent = new Agent();
beforeEach(async () => {
  held = [];
  started = await startConsole({
    respond: ({ path, headers }, res) => {
      if (path.includes('slow') || /^\/v1\/(?:import\?|attachments$)/.test(path))
        held.push(String(headers['x-service-account']));
      else res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    },
  });
  server = createServer(started.app.http).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await started.close();
});

interface Session {
  readonly account: string;
  readonly n?: number;
}
interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** A call of a page; all pages share one address. Status 0 when the connection closes without an answer. */
function call(path: string, { account, n = 1 }: Session, method = 'GET', shown = account): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  const token = `itsm_at_${account}_${n}`;
  const cookie = sessionCookie(started, { token, account });
  const headers = { cookie, 'x-console': shown, 'x-forwarded-for': '192.0.2.7' };
  return new Promise((resolve) => {
    request({ port, host: '127.0.0.1', path, method, headers, agent })
      .on('error', () => resolve({ status: 0, retryAfter: undefined }))
      .on('response', (response) => {
        const { statusCode = 0, headers: given } = response.resume();
        resolve({ status: statusCode, retryAfter: given['retry-after'] });
      })
      .end(method === 'POST' ? 'subject\n' : undefined);
  });
}
const imports = (session: Session, shown?: string) => call('/console/v1/import?type=requests', session, 'POST', shown);
const files = (session: Session) => call('/console/v1/attachments', session, 'POST');
const times = (count: number, make: (n: number) => Promise<Answer>) =>
  Array.from({ length: count }, (_none, n) => make(n));
const heldOf = (account: string) => held.filter((one) => one === account).length;
const refused = { status: 429, retryAfter: '1' };

test('imports and files are limited per session and per account of the person, whatever account the page shows', async () => {
  const { uploadsOfSession, uploadsOfAccount } = mostInFlight;
  void times(uploadsOfSession, () => imports({ account: 'wdc' }));
  await waitUntil('the imports', () => heldOf('wdc') === uploadsOfSession);
  expect(await imports({ account: 'wdc' })).toEqual(refused);
  expect(await files({ account: 'wdc' })).toEqual(refused);
  void times(uploadsOfAccount - uploadsOfSession, () => imports({ account: 'wdc', n: 2 }, 'acme'));
  await waitUntil('those of the other session', () => held.length === uploadsOfAccount);
  expect(await imports({ account: 'wdc', n: 3 })).toEqual(refused);
  void files({ account: 'acme' });
  await waitUntil('that of another account', () => held.length === uploadsOfAccount + 1);
  for (const session of [{ account: 'wdc' }, { account: 'wdc', n: 3 }]) {
    expect(await call('/console/v1/requests', session)).toMatchObject({ status: 200 });
    expect(await call('/console/v1/import/of-before', session)).toMatchObject({ status: 200 });
    expect(await call('/console/v1/attachments/storage', session)).toMatchObject({ status: 200 });
  }
});

test("imports of many accounts delay neither calls nor another account's import", async () => {
  const accounts = Array.from({ length: 9 }, (_none, n) => `a${n}`);
  for (const account of accounts)
    for (const n of [1, 2]) void times(mostInFlight.uploadsOfSession, () => imports({ account, n }));
  await waitUntil('imports', () => held.length === 72);
  expect(await call('/console/v1/requests', { account: 'wdc' })).toMatchObject({ status: 200 });
  void imports({ account: 'wdc' });
  await waitUntil('that of another account', () => heldOf('wdc') === 1);
});

test('two accounts at their limit of calls leave room for others', async () => {
  let ended = 0;
  const slow = async (session: Session): Promise<Answer> => {
    const answer = await call('/console/v1/requests?slow', session);
    ended += 1;
    return answer;
  };
  for (const account of ['wdc', 'acme'])
    for (const n of [1, 2, 3]) void times(mostInFlight.session, () => slow({ account, n }));
  await waitUntil('their calls', () => held.length >= 40);
  expect(await call('/console/v1/requests', { account: 'umbrella' })).toMatchObject({ status: 200 });
  expect(ended).toBe(0);
});

test('a session has 20 concurrent calls, and an account 60; others behind the same address are not affected', async () => {
  void times(mostInFlight.session, () => call('/console/v1/requests?slow', { account: 'wdc' }));
  await waitUntil('them', () => heldOf('wdc') === mostInFlight.session);
  expect(await call('/console/v1/requests', { account: 'wdc' })).toEqual(refused);
  expect(await call('/console/session', { account: 'wdc' })).toEqual(refused);
  for (const n of [2, 3])
    void times(mostInFlight.session, () => call('/console/v1/requests?slow', { account: 'wdc', n }));
  await waitUntil('half of the connections to be in use', () => heldOf('wdc') === 32);
  await waitUntil('the account to be full', async () => {
    const { status } = await call('/console/graphql', { account: 'wdc', n: 4 }, 'POST');
    return status === 429;
  });
  const others = times(100, (n) => call('/console/v1/requests', { account: `a${n}` }));
  expect(new Set((await Promise.all(others)).map(({ status }) => status))).toEqual(new Set([200]));
});

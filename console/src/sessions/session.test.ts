import type { ServerResponse } from 'node:http';
import { sealingKey, sessionCookie, startConsole } from '../testing/start-console';
import type { Seen, StartedConsole } from '../testing/start-console';

const me = {
  id: 'cGVyc29u',
  name: 'Ellen Brown',
  primaryEmail: 'ellen@wdc.example',
  locale: 'en-GB',
  timeZone: 'Europe/London',
  roles: ['account_administrator'],
  memberships: [{ account: { accountID: 'wdc', name: 'Widget Data Center', disabled: false } }],
};
const data = {
  me,
  account: { accountID: 'wdc', name: 'Widget Data Center', customUrl: null },
};

let play: (seen: Seen, res: ServerResponse) => void;
const answerWith = (status: number, body: unknown, headers = {}): void => {
  play = (_seen, res) =>
    res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

let started: StartedConsole;
const otherKey = Buffer.alloc(32, 9);
beforeAll(async () => {
  const ring = [sealingKey, otherKey].map((key) => key.toString('base64')).join(',');
  started = await startConsole({ respond: (seen, res) => play(seen, res), settings: { COOKIE_KEYS: ring } });
});
beforeEach(() => {
  answerWith(200, { data });
  started.calls.length = 0;
});
afterAll(() => started.close());

const session = (cookie: string, account = 'wdc') =>
  started.http.get('/console/session').set('Cookie', cookie).set('X-Console', account);

test('the session is read by one call of the gateway', async () => {
  const { body, headers } = await session(sessionCookie(started)).set('X-Forwarded-For', '192.0.2.7').expect(200);
  const { roles, memberships, ...person } = me;
  expect(body).toEqual({
    person,
    account: data.account,
    roles,
    accounts: memberships.map(({ account }) => account),
    expiresAt: new Date(started.now().getTime() + 3_600_000).toISOString(),
    build: expect.stringMatching(/^[\da-f]{12}$/) as string,
  });
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-console-build': (body as { build: string }).build });
  expect(started.calls).toHaveLength(1);
  expect(started.calls[0]).toMatchObject({
    method: 'POST',
    path: '/graphql',
    headers: { authorization: 'Bearer itsm_at_secret', 'x-service-account': 'wdc', 'x-forwarded-for': '192.0.2.7' },
  });
  expect(started.calls[0]?.headers).not.toHaveProperty('cookie');
});

test("a page without an account uses the person's own", async () => {
  await session(sessionCookie(started), '-').expect(200);
  await session(sessionCookie(started), 'acme').expect(200);
  expect(started.calls.map(({ headers }) => headers['x-service-account'])).toEqual(['wdc', 'acme']);
});

test('any key of the ring opens the cookie; texts sealed for another purpose do not open', async () => {
  await session(sessionCookie(started, { key: otherKey })).expect(200);
  const good = sessionCookie(started);
  const bad = {
    'of another key': sessionCookie(started, { key: Buffer.alloc(32, 1) }),
    'of another purpose': sessionCookie(started, { purpose: 'console sign-in' }),
    cut: good.slice(0, -1),
    changed: good.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')),
    expired: sessionCookie(started, { minutes: 0 }),
    empty: '__Host-console=',
    'under another name': good.replace('__Host-console', 'console'),
    absent: 'theme=dark',
  };
  started.calls.length = 0;
  for (const [what, cookie] of Object.entries(bad)) {
    const { status, body } = await session(cookie);
    expect([what, status, body]).toEqual([what, 401, { message: 'Unauthorized' }]);
  }
  expect(started.calls).toEqual([]);
});

test('a session expires with its token', async () => {
  const cookie = sessionCookie(started);
  started.clock.offset += 3_600_000;
  await session(cookie).expect(401);
});

test.each([
  [401, {}, 401, { message: 'Unauthorized' }],
  [403, {}, 403, { message: 'Forbidden', code: 'wrong_account' }],
  [429, {}, 429, { message: 'Too Many Requests' }],
  [503, {}, 503, { message: 'Service Unavailable' }],
  [200, { data: { me: null }, errors: [] }, 503, { message: 'Service Unavailable' }],
])('when the gateway answers %i %j, the page gets %i', async (status, body, shown, what) => {
  answerWith(status, body, { 'retry-after': '3' });
  const answer = await session(sessionCookie(started)).expect(shown, what);
  const waits = [429, 503].includes(shown) ? { 'retry-after': '3' } : {};
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', ...waits });
});

test('an invalid or missing answer is a 503, not an error of the page', async () => {
  play = (_seen, res) => res.end('<html>');
  await session(sessionCookie(started)).expect(503);
  play = (_seen, res) => res.destroy();
  const { headers } = await session(sessionCookie(started)).expect(503);
  expect(headers).toHaveProperty('retry-after');
});

const calls = [
  ['get', '/console/session'],
  ['post', '/console/sign-out'],
  ['post', '/console/graphql'],
  ['get', '/console/schema'],
  ['get', '/console/v1/requests'],
  ['post', '/console/v1/import'],
  ['get', '/console/sign-in?quiet=1'],
  ['get', '/console/nothing'],
] as const;

test.each(calls)('%s %s is refused for pages of other sites', async (method, path) => {
  const send = () => started.http[method](path).set('Cookie', sessionCookie(started));
  const { headers } = await send().expect(403);
  expect(headers).not.toHaveProperty('set-cookie');
  for (const site of ['cross-site', 'same-site', 'none'])
    await send().set('X-Console', 'wdc').set('Sec-Fetch-Site', site).expect(403);
  for (const account of ['', '--', 'Wdc', '../wdc', 'w'.repeat(64)]) await send().set('X-Console', account).expect(403);
  expect(started.calls).toEqual([]);
});

test('a page of the console identifies itself', async () => {
  await session(sessionCookie(started)).set('Sec-Fetch-Site', 'same-origin').expect(200);
});

test('each call is one log line, without secrets', async () => {
  started.log.length = 0;
  const cookie = sessionCookie(started);
  await session(cookie);
  await started.http
    .post('/console/graphql?code=itsm_ac_secret')
    .set('Cookie', cookie)
    .set('X-Console', 'wdc')
    .send({});
  const lines = started.log.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toEqual([
    expect.objectContaining({ message: 'call', path: '/console/session', account: 'wdc', status: 200 }),
    expect.objectContaining({
      message: 'call',
      path: '/console/graphql',
      account: 'wdc',
      requestId: expect.any(String),
    }),
  ]);
  expect(started.log.join('')).not.toMatch(/itsm_|secret|ellen|__Host/i);
  expect(started.log.join('')).not.toContain(cookie.slice('__Host-console='.length));
});

import { openBrowser, startWithConsole } from './testing/console-browser';
import type { ConsoleBrowser, StartedPlatform } from './testing/console-browser';

let started: StartedPlatform;
beforeAll(async () => {
  started = await startWithConsole();
});
afterAll(() => started.close());

const administrator = () => started.demo.accounts.wdc.administrator;
const open = (): ConsoleBrowser => openBrowser(started.baseUrl);

async function openSignedIn(start?: string): Promise<ConsoleBrowser> {
  const browser = open();
  await browser.signIn(administrator(), start);
  return browser;
}

const quietly = '/console/sign-in?quiet=1';
const bodyOf = async (response: Response) => (await response.json()) as Record<string, unknown>;

test('signing in leads to the requested page, whose session has the person, the account and the roles', async () => {
  const browser = open();
  const { path, passed } = await browser.signIn(
    administrator(),
    '/console/sign-in?next=/accounts/wdc/requests/101?a=1',
  );
  expect(path).toBe('/accounts/wdc/requests/101?a=1');
  expect(passed.filter((one) => /consent/.test(one))).toEqual([]);
  expect([...browser.jar.keys()].sort()).toEqual(['console', 'known-browser', 'session']);
  const response = await browser.call('/console/session');
  expect(response.status).toBe(200);
  const { name, email } = administrator();
  expect(await bodyOf(response)).toMatchObject({
    person: { id: expect.any(String) as string, name, primaryEmail: email, locale: expect.any(String) as string },
    account: { accountID: 'wdc', name: expect.any(String) as string },
    roles: expect.arrayContaining(['account_administrator']) as string[],
    accounts: expect.arrayContaining(
      ['wdc', 'wdc-labs'].map((accountID) => expect.objectContaining({ accountID, disabled: false }) as unknown),
    ) as unknown[],
    build: expect.stringMatching(/^[\da-f]{12}$/) as string,
  });
});

test('the address of the platform redirects to the account, after a sign-in if there is no session', async () => {
  const browser = open();
  const { path } = await browser.signIn(administrator(), '/');
  expect(path).toBe('/accounts/wdc');
  expect((await browser.visit('/')).passed).toEqual(['/', '/accounts/wdc']);
});

test.each([
  '//evil.example',
  '/\\evil.example',
  '/.//evil.example',
  '/a/../..//evil.example',
  'https://evil.example/',
  '/%2e%2e//a',
])('a sign-in with next=%s redirects to the account instead', async (next) => {
  const { path } = await open().signIn(administrator(), `/console/sign-in?next=${encodeURIComponent(next)}`);
  expect(path).toBe('/accounts/wdc');
});

test('the session cookie is SameSite=Strict; that of a sign-in is SameSite=Lax and lasts ten minutes', async () => {
  const browser = open();
  const begun = await browser.send('/console/sign-in?account=wdc');
  expect(begun.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^console-login-[012]=[\w.-]+; Max-Age=600; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/),
  ]);
  const asked = new URL(begun.headers.get('location') ?? '', started.baseUrl);
  expect(Object.fromEntries(asked.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'console',
    redirect_uri: `${started.baseUrl}/console/callback`,
    state: expect.stringMatching(/^[\w-]{32}$/) as string,
    code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
    code_challenge_method: 'S256',
    account: 'wdc',
  });
  const signedIn = await openSignedIn();
  const renewal = await signedIn.call(quietly);
  expect(renewal.headers.getSetCookie()).toContainEqual(
    expect.stringMatching(
      /^console=[\w.-]{100,600}; Max-Age=3\d{3}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    ),
  );
});

test('a page reaches the API as the person, in the accounts in which they have roles', async () => {
  const browser = await openSignedIn();
  const answer = await browser.graphql('{ me { name } }');
  expect([answer.status, await bodyOf(answer)]).toEqual([200, { data: { me: { name: administrator().name } } }]);
  expect(answer.headers.get('x-costlimit-cost')).toBe('1');
  expect(answer.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
  expect(answer.headers.get('x-console-build')).toMatch(/^[\da-f]{12}$/);
  expect((await browser.graphql('{ me { name } }', 'acme')).status).toBe(403);
  const foreign = await browser.call('/console/session', { account: 'acme' });
  expect([foreign.status, await bodyOf(foreign)]).toEqual([403, { message: 'Forbidden', code: 'wrong_account' }]);
  const records = await browser.call('/console/v1/requests?per_page=1&fields=id');
  expect([records.status, await records.json()]).toEqual([
    200,
    [expect.objectContaining({ id: expect.any(Number) as number })],
  ]);
  expect(records.headers.get('x-pagination-total-entries')).toMatch(/^\d+$/);
  const schema = await browser.call('/console/schema', { account: '-' });
  expect(await schema.text()).toContain('type Query');
  const etag = schema.headers.get('etag') ?? '';
  expect((await browser.call('/console/schema', { headers: { 'if-none-match': etag } })).status).toBe(304);
});

test('a file is imported through the console', async () => {
  const browser = await openSignedIn();
  const boundary = 'a-boundary';
  const part = (name: string, content: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${name === 'file' ? '; filename="teams.csv"' : ''}\r\n\r\n${content}\r\n`;
  const response = await browser.call('/console/v1/import', {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: `${part('type', 'team')}${part('file', 'Name\nNight watch\n')}--${boundary}--\r\n`,
  });
  expect([response.status, await bodyOf(response)]).toEqual([202, { token: expect.any(String) as string }]);
});

test('a session is renewed without a prompt; without a sign-in the answer is 401', async () => {
  const browser = await openSignedIn();
  const before = browser.jar.get('console');
  const renewal = await browser.call(quietly);
  expect(renewal.status).toBe(204);
  expect(browser.jar.get('console')).not.toBe(before);
  const session = await browser.call('/console/session');
  expect(await bodyOf(session)).toMatchObject({ expiresAt: renewal.headers.get('x-console-expires') });
  expect((await open().call(quietly)).status).toBe(401);
});

test('eight simultaneous renewals all succeed', async () => {
  const browser = await openSignedIn();
  const begun = await Promise.all(Array.from({ length: 8 }, () => browser.call(quietly)));
  expect(begun.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 204));
  expect([...browser.jar.keys()].sort()).toEqual(['console', 'known-browser', 'session']);
  expect((await browser.call('/console/session')).status).toBe(200);
});

test('a renewal as another person is refused, since the page belongs to the person who opened it', async () => {
  const [browser, other] = [await openSignedIn(), open()];
  await other.signIn(started.demo.accounts.wdc.specialist);
  const before = browser.jar.get('console');
  browser.jar.set('session', other.jar.get('session') ?? '');
  expect((await browser.call(quietly)).status).toBe(401);
  expect(browser.jar.get('console')).toBe(before);
});

/** The callback address to which auth redirects, not yet visited. */
async function callbackOf(browser: ConsoleBrowser): Promise<string> {
  const asked = (await browser.send('/console/sign-in?next=/accounts/wdc/teams')).headers.get('location') ?? '';
  const callback = (await browser.send(asked)).headers.get('location') ?? '';
  expect(new URL(callback).pathname).toBe('/console/callback');
  return callback;
}

test('a callback that is repeated, or has another browser or state, gets a link to the sign-in', async () => {
  const browser = await openSignedIn();
  const callback = await callbackOf(browser);
  const cookies = new Map(browser.jar);
  const expectEnd = async (visitor: ConsoleBrowser, path: string, next: string) => {
    const response = await visitor.send(path);
    expect(response.status).toBe(400);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toContain(`href="/console/sign-in?next=${encodeURIComponent(next)}"`);
  };
  await expectEnd(await openSignedIn(), callback, '/');
  await expectEnd(browser, callback.replace('state=', 'state=x'), '/');
  expect((await browser.send(callback)).headers.get('location')).toBe('/accounts/wdc/teams');
  await expectEnd(browser, callback, '/');
  // As in a retry by the gateway after a lost response: with the cookies from before.
  cookies.forEach((value, name) => browser.jar.set(name, value));
  await expectEnd(browser, callback, '/accounts/wdc/teams');
});

test('a callback from another issuer is refused', async () => {
  const browser = await openSignedIn();
  const callback = await callbackOf(browser);
  browser.jar.delete('console');
  expect((await browser.send(callback.replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fevil.example'))).status).toBe(400);
  expect((await browser.call('/console/session')).status).toBe(401);
});

test('signing out revokes the token of the session', async () => {
  const browser = await openSignedIn();
  const kept = browser.jar.get('console') ?? '';
  const before = await browser.call('/console/session');
  expect(before.status).toBe(200);
  expect((await browser.call('/console/sign-out', { method: 'POST' })).status).toBe(204);
  expect(browser.jar.has('console')).toBe(false);
  expect((await browser.call('/console/session')).status).toBe(401);
  browser.jar.set('console', kept);
  expect((await browser.call('/console/session')).status).toBe(401);
  expect((await browser.graphql('{ me { name } }')).status).toBe(401);
  expect((await open().call('/console/sign-out', { method: 'POST' })).status).toBe(204);
});

test('requests from another site are refused, and change nothing', async () => {
  const browser = await openSignedIn();
  for (const headers of [
    {},
    { 'x-console': 'wdc', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-origin' },
  ]) {
    expect((await browser.send('/console/session', { headers })).status).toBe(403);
    expect((await browser.send('/console/sign-out', { method: 'POST', headers })).status).toBe(403);
    expect((await browser.send(quietly, { headers })).status).toBe(403);
  }
  expect((await browser.call('/console/session')).status).toBe(200);
});

test('no log contains a token, a code, a state, a verifier, a secret or a cookie', async () => {
  const browser = open();
  const { searchParams } = new URL(
    (await browser.send('/console/sign-in')).headers.get('location') ?? '',
    started.baseUrl,
  );
  await browser.signIn(administrator());
  await browser.call(quietly);
  const log = started.log();
  const secrets = [
    ...browser.jar.values(),
    searchParams.get('state') ?? '',
    searchParams.get('code_challenge') ?? '',
    started.data.secrets.consoleClientSecret,
    administrator().password,
  ];
  expect(log).toContain('"message":"signed in"');
  expect(log).toContain('"path":"/console/callback"');
  for (const secret of secrets) expect([secret, log.includes(secret)]).toEqual([secret, false]);
  expect(log).not.toMatch(/itsm_(?:at|ac)_(?!\[)/);
});

import type { ServerResponse } from 'node:http';
import { createSealer } from '@itsm/shared/base/secrets/sealer';
import { insufficientStorage } from '@itsm/shared/base/errors/app-error';
import { baseUrl, clientSecret, sealingKey, sessionCookie, startConsole } from '../testing/start-console';
import type { Seen, StartedConsole } from '../testing/start-console';

const answers: Readonly<Record<string, object>> = {
  '/oauth/token': { access_token: 'itsm_at_fresh', token_type: 'bearer', expires_in: 3600 },
  '/oauth/introspect': { active: true, sub: '7', account: 'wdc' },
  '/oauth/revoke': {},
};
const playAuth = ({ path }: Seen, res: ServerResponse): void => {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[path]));
};
let play = playAuth;
const refuse = (at: string, status: number, body: object = {}): void => {
  play = (seen, res) => {
    if (seen.path === at) res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    else playAuth(seen, res);
  };
};

let started: StartedConsole;
beforeAll(async () => {
  started = await startConsole({
    respond: (seen, res) => play(seen, res),
    settings: { CONSOLE_CLIENT_SECRET: `${clientSecret},${'another '.repeat(5)}` },
  });
});
beforeEach(() => {
  play = playAuth;
  started.clock.offset = 0;
  started.calls.length = 0;
});
afterAll(() => started.close());

const cookiesOf = ({ headers }: { headers: unknown }): string[] =>
  (headers as Record<string, string[] | undefined>)['set-cookie'] ?? [];

interface Begun {
  readonly state: string;
  /** The attempt cookie, as the browser sends it. */
  readonly cookie: string;
}

async function begin(query: Record<string, string> = {}): Promise<Begun> {
  const response = await started.http.get('/console/sign-in').query(query).set('X-Console', '-').expect(302);
  const { location = '' } = response.headers as { location?: string };
  expect(location).toMatch(/^\/oauth\/authorize\?/);
  const state = new URL(location, baseUrl).searchParams.get('state') ?? '';
  return { state, cookie: (cookiesOf(response)[0] ?? '').split(';', 1)[0] ?? '' };
}

const end = ({ state, cookie }: Begun, more: Record<string, string> = {}) =>
  started.http
    .get('/console/callback')
    .query({ code: 'itsm_ac_secret', state, iss: baseUrl, ...more })
    .set('Cookie', cookie);

test('over https the cookies are bound to the host; the code is redeemed with the first secret and the verifier', async () => {
  const begun = await begin({ next: '/accounts/wdc/teams' });
  expect(begun.cookie).toMatch(/^__Host-console-login-[0-2]=/);
  const response = await end(begun).expect(302).expect('Location', '/accounts/wdc/teams');
  const [cleared, session] = cookiesOf(response);
  expect(cleared).toMatch(/^__Host-console-login-\d=; Max-Age=0; Path=\/; Expires=[^;]+; HttpOnly; Secure$/);
  expect(session).toMatch(
    /^__Host-console=[\w.-]+; Max-Age=(3600|3599); Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
  );
  const [token, introspection] = started.calls;
  const basic = Buffer.from(`console:${encodeURIComponent(clientSecret)}`).toString('base64');
  expect([token?.path, token?.headers.authorization]).toEqual(['/oauth/token', `Basic ${basic}`]);
  expect(Object.fromEntries(new URLSearchParams(token?.body))).toEqual({
    grant_type: 'authorization_code',
    code: 'itsm_ac_secret',
    redirect_uri: `${baseUrl}/console/callback`,
    code_verifier: expect.stringMatching(/^[\w-]{43}$/) as string,
  });
  expect([introspection?.path, introspection?.body]).toEqual(['/oauth/introspect', 'token=itsm_at_fresh']);
  // The sealed cookie reveals nothing.
  expect(Buffer.from(session ?? '', 'base64url').toString('latin1')).not.toContain('itsm_at');
});

/** A browser's cookies after these answers: a later one of the same name replaces an earlier one. */
function jarOf(responses: readonly { readonly headers: unknown }[]): string {
  const jar = new Map(responses.flatMap(cookiesOf).map((one) => [one.split('=', 1)[0], one.split(';', 1)[0]]));
  return [...jar.values()].join('; ');
}

test.each([
  ['one after the other', false],
  ['at the same moment', true],
])(
  'sixty sign-ins that another site starts %s leave short cookies, and the last one still ends',
  async (_how, atOnce) => {
    const started60: { readonly headers: unknown }[] = [];
    const startOne = (next: string) => {
      const cookie = atOnce ? '' : jarOf(started60);
      return started.http.get('/console/sign-in').query({ next }).set('Cookie', cookie).expect(302);
    };
    for (const letter of ['a'.repeat(299), 'b'.repeat(1_900), `?${'\\'.repeat(298)}`])
      for (let time = 0; time < 20; time += 1) started60.push(await startOne(`/${letter}`));
    const jar = jarOf(started60);
    expect(jar.split('; ').length).toBeLessThanOrEqual(3);
    expect(jar.length).toBeLessThanOrEqual(2_048);
    const { location = '' } = started60.at(-1)?.headers as { location?: string };
    const state = new URL(location, baseUrl).searchParams.get('state') ?? '';
    await end({ state, cookie: jar }).expect(302);
  },
);

test('the fourth sign-in under way replaces the oldest', async () => {
  const begun: Begun[] = [];
  const responses: { readonly headers: unknown }[] = [];
  for (let time = 0; time < 4; time += 1) {
    started.clock.offset = time;
    const response = await started.http.get('/console/sign-in').set('Cookie', jarOf(responses)).expect(302);
    responses.push(response);
    const { location = '' } = response.headers as { location?: string };
    begun.push({ state: new URL(location, baseUrl).searchParams.get('state') ?? '', cookie: '' });
  }
  const statuses = [];
  for (const one of begun) statuses.push((await end({ ...one, cookie: jarOf(responses) })).status);
  expect(statuses).toEqual([400, 302, 302, 302]);
});

test('an answer or an error of another issuer does not end the sign-in', async () => {
  const begun = await begin();
  for (const more of [
    { iss: 'https://evil.example' },
    { iss: '' },
    { iss: 'https://evil.example', error: 'access_denied' },
  ])
    expect(cookiesOf(await end(begun, more).expect(400))).toEqual([]);
  expect(started.calls).toEqual([]);
  await end(begun).expect(302);
});

test('a page that opened the sign-in cannot send it on', async () => {
  const { headers } = await started.http.get('/console/sign-in').expect(302);
  expect(headers).toMatchObject({ 'cross-origin-opener-policy': 'same-origin' });
});

test('an attempt expires after ten minutes', async () => {
  const begun = await begin();
  started.clock.offset = 600_000;
  await end(begun).expect(400);
  expect(started.calls).toEqual([]);
});

test('a cookie sealed for another purpose, or with another key or state, is no attempt', async () => {
  const [begun, other] = [await begin(), await begin()];
  const [name = ''] = begun.cookie.split('=');
  const attempt = { state: begun.state, verifier: 'v', next: '/', quiet: false, exp: started.now().getTime() + 60_000 };
  const sealedBy = (key: Buffer, purpose: string): string =>
    `${name}=${createSealer([key]).seal(JSON.stringify(attempt), purpose)}`;
  await end({ ...begun, cookie: sealedBy(sealingKey, 'console sign-in') }).expect(302);
  started.calls.length = 0;
  for (const cookie of [
    sealedBy(sealingKey, 'console session'),
    sealedBy(Buffer.alloc(32, 8), 'console sign-in'),
    `${name}=${other.cookie.split('=')[1]}`,
    begun.cookie.slice(0, -2),
  ])
    await end({ ...begun, cookie }).expect(400);
  expect(started.calls).toEqual([]);
});

test.each([
  ['auth refuses the code', '/oauth/token', 400, 400],
  ['the gateway refuses the console', '/oauth/token', 400, 500, { message: 'HTTPS is required' }],
  ['the token counts no more', '/oauth/introspect', 200, 400],
  ['the settings do not fit', '/oauth/token', 401, 500],
  ['there are too many at once', '/oauth/token', 429, 503],
  ['auth is out of reach', '/oauth/token', 503, 503],
  ['auth is out of reach afterwards', '/oauth/introspect', 503, 503],
  ['the disk of auth is full', '/oauth/token', 507, 507],
])(
  'when %s, nobody is signed in',
  async (_what, at, status, expected, body: object = { error: 'invalid_grant', active: false }) => {
    refuse(at, status, body);
    const response = await end(await begin()).expect(expected);
    expect(cookiesOf(response)).toEqual([expect.stringMatching(/^__Host-console-login-\d=;/)]);
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store' });
  },
);

test.each([
  ['a full disk', insufficientStorage().message, 507, 'The disk of the platform is full: ask its operator'],
  ['an outage', 'Service Unavailable', 503, 'The platform is busy or starting.'],
  ['text of others', '<b>Call 0900', 503, 'The platform is busy or starting.'],
])(
  'auth that cannot sign anybody in because of %s says so, on a page or to the script',
  async (_what, said, status, shown) => {
    const answer = { code: '', error: 'temporarily_unavailable', error_description: said };
    const { text, headers } = await end(await begin({ next: '/accounts/wdc/teams' }), answer).expect(status);
    expect(text).toContain(shown);
    expect(text).toContain('href="/console/sign-in?next=%2Faccounts%2Fwdc%2Fteams"');
    expect([text.includes('0900'), headers['content-type']]).toEqual([false, 'text/html; charset=utf-8']);
    const quiet = await end(await begin({ quiet: '1' }), answer).expect(status);
    expect(quiet.body).toEqual({ message: expect.stringContaining(shown.replace(/\.$/, '')) as string });
  },
);

test.each([
  [
    400,
    { message: '<b>HTTPS is required' },
    /calls \(400 &lt;b&gt;HTTPS is required\); see TRUSTED_PROXIES and GATEWAY_URL\./,
  ],
  [404, {}, /calls \(404 \); see TRUSTED_PROXIES/],
  [401, { error: 'invalid_client' }, /auth takes no CONSOLE_CLIENT_SECRET, or another one\./],
])('a failure that no retry can fix names the settings to check: %i', async (status, body, said) => {
  refuse('/oauth/token', status, body);
  const { text } = await end(await begin()).expect(500);
  expect(text).toMatch(said);
  expect(text.split('</header>').at(-1)).not.toContain('<a ');
  expect(started.log.join('')).toContain('sign-in impossible');
});

test('a page can demand a maximum age of the sign-in', async () => {
  const maxAgeOf = async (query: Record<string, string>) => {
    const { headers } = await started.http.get('/console/sign-in').query(query).expect(302);
    return new URL((headers as { location: string }).location, baseUrl).searchParams.get('max_age');
  };
  expect(await maxAgeOf({ max_age: '1800' })).toBe('1800');
  for (const query of [{}, { max_age: '1800&prompt=none' }, { max_age: '' }]) expect(await maxAgeOf(query)).toBeNull();
});

test.each([
  ['/', '/accounts/wdc'],
  ['/console/explorer', '/accounts/wdc/explorer'],
])('%s leads to %s of the own account, by a sign-in where there is no session', async (path, expected) => {
  const locationOf = ({ headers }: { readonly headers: unknown }) => (headers as { location: string }).location;
  const found = await started.http.get(path).set('Cookie', sessionCookie(started)).expect(302);
  expect([locationOf(found), found.get('Cache-Control')]).toEqual([expected, 'no-store']);
  const signIn = new URL(locationOf(await started.http.get(path).expect(302)), baseUrl);
  expect(signIn.pathname).toBe('/console/sign-in');
  const ended = await end(await begin(Object.fromEntries(signIn.searchParams))).expect(302);
  // Not to the address itself: the session's cookie is not sent after a sign-in at another site.
  expect(locationOf(ended)).toBe(expected);
  await started.http.post(path).expect(405);
});

test('a refused sign-in ends in a restricted page with a link to a new one', async () => {
  const begun = await begin({ next: '/accounts/wdc/"><script>' });
  const { text, headers } = await end(begun, { iss: '<script>', error: '<script>' }).expect(400);
  expect(text).toContain('href="/console/sign-in?next=%2F"');
  expect(text).not.toContain('<script');
  expect((headers as Record<string, string>)['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-/,
  );
});

test('a renewal returns the new expiry; a refused one keeps the session', async () => {
  const renewed = await end(await begin({ quiet: '1' })).expect(204);
  expect(new Date((renewed.headers as Record<string, string>)['x-console-expires'] ?? '').getTime()).toBeGreaterThan(
    started.now().getTime() + 3_590_000,
  );
  const begun = await begin({ quiet: '1' });
  const refused = await started.http
    .get('/console/callback')
    .query({ error: 'login_required', state: begun.state, iss: baseUrl })
    .set('Cookie', `${begun.cookie}; ${sessionCookie(started)}`)
    .expect(401);
  expect(cookiesOf(refused)).toHaveLength(1);
});

test('a renewal as another person is refused, and its token revoked', async () => {
  play = (seen, res) => {
    const foreign = { active: true, sub: '8', account: 'wdc' };
    if (seen.path === '/oauth/introspect') res.end(JSON.stringify(foreign));
    else playAuth(seen, res);
  };
  const begun = await begin({ quiet: '1' });
  const both = { ...begun, cookie: `${sessionCookie(started)}; ${begun.cookie}` };
  expect(cookiesOf(await end(both).expect(401))).toHaveLength(1);
  expect(started.calls.at(-1)).toMatchObject({ path: '/oauth/revoke', body: 'token=itsm_at_fresh' });
  // A deliberate sign-in may be as another person.
  const again = await begin();
  await end({ ...again, cookie: `${sessionCookie(started)}; ${again.cookie}` }).expect(302);
});

test('sign-out ends the session in this browser, even when the token cannot be revoked', async () => {
  const signOut = () =>
    started.http.post('/console/sign-out').set('X-Console', 'wdc').set('Cookie', sessionCookie(started));
  expect(cookiesOf(await signOut().expect(204))).toEqual([expect.stringMatching(/^__Host-console=; Max-Age=0;/)]);
  expect(started.calls).toMatchObject([{ path: '/oauth/revoke', body: 'token=itsm_at_secret' }]);
  refuse('/oauth/revoke', 503);
  expect(cookiesOf(await signOut().expect(503))).toEqual([expect.stringMatching(/^__Host-console=; Max-Age=0;/)]);
});

test('no exchanged secret is logged', () => {
  expect(started.log.length).toBeGreaterThan(10);
  expect(started.log.join('')).not.toMatch(/itsm_at|itsm_ac|client secret|__Host|code_verifier/);
});

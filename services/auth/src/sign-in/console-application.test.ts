import { answerIn, locationOf, openBrowser, openSignedIn, signIn } from '../testing/browser';
import { headersOf } from '../testing/caller';
import { bodyIn, introspect } from '../testing/client';
import {
  askForConsole,
  consoleCallback,
  consoleSecret,
  consoleSettings,
  consoleTokenOf,
  redeemForConsole,
} from '../testing/console';
import type { Auth } from '../testing/start-auth';
import { seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start({ settings: consoleSettings });
});
afterAll(() => store.close());
afterEach(() => {
  auth.clock.offset = 0;
});

const codeFor = async (more: Record<string, string> = {}) => {
  const person = await seedPerson(auth);
  const browser = await openSignedIn(auth, person);
  const { code = '' } = answerIn(await askForConsole(browser, more).expect(302));
  return { person, browser, code };
};

/** The page without its bar, which links to the console. */
const listedIn = (page: string): string => page.split('</header>')[1] ?? page;

describe('a person', () => {
  test('of any account gets a code at once, without consent, and a token with all scopes', async () => {
    for (let account = 0; account < 2; account += 1) {
      const { person, code } = await codeFor();
      expect(code).toMatch(/^itsm_ac_/);
      const response = await redeemForConsole(auth, code).expect(200);
      expect(bodyIn(response)).toEqual({
        access_token: expect.stringMatching(/^itsm_at_/) as string,
        token_type: 'bearer',
        expires_in: 3600,
        scope: '*:*',
      });
      const { access_token } = response.body as { access_token: string };
      const { active, claims, limit_key, accounts } = await introspect(auth, access_token);
      expect(active).toBe(true);
      expect(claims).toMatchObject({
        sub: String(person.id),
        application: 0,
        kind: 'access',
        accounts: { [person.accountId]: ['account_administrator'] },
        scopes: [{ effect: 'allow', actions: ['*:*'] }],
      });
      expect(limit_key).toBe(`application:0:person:${person.id}`);
      expect(accounts).toEqual([person.accountId]);
    }
  });

  test('can act with it in every account in which they have roles', async () => {
    const [person, other] = [await seedPerson(auth), await seedPerson(auth)];
    await auth.app.operator.giveRoles(person.accountId, person.email, other.accountId, ['specialist']);
    const { claims } = await introspect(auth, await consoleTokenOf(auth, await openSignedIn(auth, person)));
    expect(claims['accounts']).toEqual({
      [person.accountId]: ['account_administrator'],
      [other.accountId]: ['specialist'],
    });
  });

  test('does not see it among allowed applications, nor among those of their account', async () => {
    const { person, browser, code } = await codeFor();
    await redeemForConsole(auth, code).expect(200);
    const page = await browser.get('/oauth/profile').expect(200);
    expect(listedIn(page.text)).not.toContain('Console');
    const headers = await headersOf(auth, person);
    await auth.http.get('/v1/oauth_applications').set(headers).expect(200, []);
    await auth.http.get('/v1/oauth_applications/0').set(headers).expect(404);
    await auth.http.patch('/v1/oauth_applications/0').set(headers).send({ disabled: true }).expect(404);
  });

  test('who is disabled, or whose account is, has no valid token', async () => {
    const { person, code } = await codeFor();
    const { access_token } = bodyIn(await redeemForConsole(auth, code)) as { access_token: string };
    await auth.app.services.persons.disable(person.accountId, person.id);
    expect(await introspect(auth, access_token)).toEqual({ active: false });
  });
});

describe('an authorization request', () => {
  test('without a signed-in person leads to the sign-in page, which names the console, and back', async () => {
    const person = await seedPerson(auth);
    const browser = openBrowser(auth);
    const asked = await askForConsole(browser, { login_hint: person.email, account: person.accountId }).expect(302);
    const next = new URL(locationOf(asked), 'http://x').searchParams.get('next') ?? '';
    const page = await browser.get('/oauth/sign-in').query({ next }).expect(200);
    expect(page.text).toContain('to continue to <strong>Console</strong>');
    expect(page.text).toContain(`name="email" value="${person.email}"`);
    expect(page.text).toContain(`name="account" value="${person.accountId}"`);
    await signIn(browser, person, next);
    const answered = await browser.get(next).expect(302);
    expect(locationOf(answered).startsWith(`${consoleCallback}?code=itsm_ac_`)).toBe(true);
    expect(answerIn(answered)['state']).toBe('deep');
  });

  test('with prompt=none gets login_required, with state and issuer, unless the person has signed in', async () => {
    const asked = await askForConsole(openBrowser(auth), { prompt: 'none' }).expect(302);
    expect(locationOf(asked).startsWith(`${consoleCallback}?`)).toBe(true);
    expect(answerIn(asked)).toMatchObject({ error: 'login_required', state: 'deep', iss: 'http://localhost:4000' });
    const { code } = await codeFor({ prompt: 'none' });
    expect(code).toMatch(/^itsm_ac_/);
  });

  test('for another person than the one signed in asks to sign in', async () => {
    const { browser } = await codeFor();
    const asked = await askForConsole(browser, { login_hint: 'somebody@else.example', prompt: 'none' }).expect(302);
    expect(answerIn(asked)['error']).toBe('login_required');
  });

  test.each([
    ['no code challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['a plain challenge', { code_challenge_method: 'plain' }],
    ['another response type', { response_type: 'token' }],
  ])('with %s is refused', async (_what, more) => {
    const browser = await openSignedIn(auth, await seedPerson(auth));
    expect(answerIn(await askForConsole(browser, more).expect(302))['error']).toBe('invalid_request');
  });

  test('that names an account twice is refused', async () => {
    const browser = openBrowser(auth);
    const asked = await askForConsole(browser, { prompt: 'none' }).query('account=a&account=b').expect(302);
    expect(answerIn(asked)).toMatchObject({ error: 'invalid_request', error_description: 'account is repeated' });
  });

  test.each(['<script>', 'x'.repeat(65), 'wdc/../x', ''])('names no account with %j', async (account) => {
    const browser = openBrowser(auth);
    const asked = await askForConsole(browser, { account }).expect(302);
    const page = await browser.get(locationOf(asked)).expect(200);
    expect(page.text).toContain('name="account" value=""');
  });

  test.each([
    ['to another address', { redirect_uri: 'http://localhost:4000/console/callback/' }],
    ['of an unknown client', { client_id: 'Console' }],
  ])('%s ends on a page', async (_what, more) => {
    await askForConsole(openBrowser(auth), more).expect(400);
  });

  test('is of an unknown client without the setting', async () => {
    const bare = await store.start();
    await askForConsole(openBrowser(bare)).expect(400);
    await redeemForConsole(bare, 'itsm_ac_x').expect(400);
  });
});

describe('a token request', () => {
  test('with a wrong secret is refused and counted like that of any client', async () => {
    const { code } = await codeFor();
    const wrong = { client_secret: 'x'.repeat(40) };
    const ask = (more: object) => redeemForConsole(auth, code, more).set('X-Forwarded-For', '198.51.100.7');
    for (let time = 0; time < 10; time += 1)
      expect(bodyIn(await ask(wrong).expect(400))).toMatchObject({ error: 'invalid_client' });
    const slowed = await ask(wrong);
    expect([400, 429]).toContain(slowed.status);
    await ask(wrong).expect(429);
    await ask({}).expect(200);
  });

  test('with another verifier, another address, or a code of another client is refused, and leaves the code', async () => {
    const { code } = await codeFor();
    for (const more of [
      { code_verifier: 'a'.repeat(43) },
      { redirect_uri: 'http://x.example/' },
      { code: 'itsm_ac_no' },
    ])
      expect(bodyIn(await redeemForConsole(auth, code, more).expect(400))).toMatchObject({ error: 'invalid_grant' });
    await redeemForConsole(auth, code).expect(200);
  });

  test('that is repeated revokes the tokens of the first, without an alert', async () => {
    const { browser, code } = await codeFor();
    const { access_token } = bodyIn(await redeemForConsole(auth, code).expect(200)) as { access_token: string };
    await redeemForConsole(auth, code).expect(400);
    expect(await introspect(auth, access_token)).toEqual({ active: false });
    expect((await browser.get('/oauth/profile')).text).not.toContain('was used twice');
  });

  test('of two concurrent ones, one gets a token', async () => {
    const { code } = await codeFor();
    const both = await Promise.all([redeemForConsole(auth, code), redeemForConsole(auth, code)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test.each(['refresh_token', 'client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange'])(
    'for the grant %s is refused',
    async (grant_type) => {
      const more = { grant_type, refresh_token: 'itsm_rt_x', subject_token: 'x', subject_token_type: 'x' };
      const { body, status } = await redeemForConsole(auth, 'x', more);
      expect(status).toBe(400);
      expect(['unauthorized_client', 'invalid_request']).toContain((body as { error: string }).error);
    },
  );

  test('is accepted with each of several secrets', async () => {
    const both = await store.start({
      database: auth.database,
      settings: { CONSOLE_CLIENT_SECRET: `${'n'.repeat(40)},${consoleSecret}` },
    });
    for (const client_secret of ['n'.repeat(40), consoleSecret]) {
      const { code } = await codeFor();
      await redeemForConsole(both, code, { client_secret }).expect(200);
    }
  });
});

test('only the console can revoke its token', async () => {
  const { browser } = await codeFor();
  const token = await consoleTokenOf(auth, browser);
  const client = { client_id: 'console', client_secret: consoleSecret, token };
  await auth.http.post('/oauth/revoke').type('form').send(client).expect(200);
  expect(await introspect(auth, token)).toEqual({ active: false });
});

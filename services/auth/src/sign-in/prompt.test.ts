import {
  answerIn,
  authorizeQuery,
  challenge,
  formTokenIn,
  locationOf,
  obtainCode,
  openBrowser,
  openSignedIn,
  signIn,
} from '../testing/browser';
import type { Browser } from '../testing/browser';
import type { Auth, SeededApplication } from '../testing/start-auth';
import { callback, everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());
afterEach(() => {
  auth.clock.offset = 0;
});

async function seed(redirectUris: readonly string[] = [callback]) {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId, { redirectUris });
  return { person, application, browser: await openSignedIn(auth, person) };
}

const ask = (browser: Browser, application: SeededApplication, more: Record<string, string> = {}) =>
  browser.get('/oauth/authorize').query(authorizeQuery(application, more)).expect(302);
const nextIn = (location: string): string => new URL(location, 'http://x').searchParams.get('next') ?? '';

describe('who has allowed the application before is asked again', () => {
  test.each(['http://127.0.0.1:31337/cb', 'http://localhost:8080/cb', 'com.example.app:/cb', 'https://127.0.0.1/cb'])(
    'each time for %s, where any app of the device can listen',
    async (redirect_uri) => {
      const { application, browser } = await seed([callback, redirect_uri]);
      await obtainCode(browser, application);
      for (let time = 0; time < 2; time += 1) {
        const asked = await ask(browser, application, { redirect_uri, ...challenge });
        expect(locationOf(asked)).toMatch(/^\/oauth\/consents\//);
        expect(await obtainCode(browser, application, { redirect_uri, ...challenge })).toMatch(/^itsm_ac_/);
      }
      expect(answerIn(await ask(browser, application))['code']).toMatch(/^itsm_ac_/);
    },
  );

  test('for a redirect URI that they have not allowed yet, once', async () => {
    const other = 'https://client.example/other';
    const { person, application, browser } = await seed();
    await obtainCode(browser, application);
    const redirectUris = [callback, other];
    await auth.app.services.applications.update(person.accountId, everything, application.id, { redirectUris });
    expect(locationOf(await ask(browser, application, { redirect_uri: other }))).toMatch(/^\/oauth\/consents\//);
    await obtainCode(browser, application, { redirect_uri: other });
    for (const redirect_uri of [callback, other])
      expect(answerIn(await ask(browser, application, { redirect_uri }))['code']).toMatch(/^itsm_ac_/);
  });

  test('with prompt=consent', async () => {
    const { application, browser } = await seed();
    await obtainCode(browser, application);
    expect(locationOf(await ask(browser, application, { prompt: 'consent' }))).toMatch(/^\/oauth\/consents\//);
    expect(await obtainCode(browser, application, { prompt: 'consent' })).toMatch(/^itsm_ac_/);
  });
});

describe('prompt=none never shows a page', () => {
  test('without a sign-in it is login_required, without a consent consent_required, and else a code', async () => {
    const { person, application, browser } = await seed();
    const none = { prompt: 'none', state: 's' };
    const answer = async (on: Browser, more = {}) => answerIn(await ask(on, application, { ...none, ...more }));
    expect(await answer(openBrowser(auth))).toMatchObject({ error: 'login_required', state: 's' });
    expect(await answer(browser)).toMatchObject({ error: 'consent_required', state: 's' });
    await obtainCode(browser, application);
    expect((await answer(browser))['code']).toMatch(/^itsm_ac_/);
    expect(await answer(browser, { login_hint: 'nobody@nowhere.example' })).toMatchObject({ error: 'login_required' });
    expect((await answer(browser, { login_hint: person.email.toUpperCase() }))['code']).toMatch(/^itsm_ac_/);
  });

  test('combined with another value, or repeated, it is an invalid request', async () => {
    const { application, browser } = await seed();
    expect(answerIn(await ask(browser, application, { prompt: 'none login' }))).toMatchObject({
      error: 'invalid_request',
    });
    for (const name of ['prompt', 'login_hint']) {
      const query = `${new URLSearchParams(authorizeQuery(application)).toString()}&${name}=x&${name}=y`;
      const answer = answerIn(await browser.get(`/oauth/authorize?${query}`).expect(302));
      expect(answer).toMatchObject({ error: 'invalid_request', error_description: `${name} is repeated` });
    }
  });
});

describe('signing in again', () => {
  test.each(['login', 'select_account', 'login consent'])('is asked for by prompt=%s, once', async (prompt) => {
    const { person, application, browser } = await seed();
    await obtainCode(browser, application);
    auth.clock.offset = 60_000;
    const asked = locationOf(await ask(browser, application, { prompt }));
    expect(asked).toMatch(/^\/oauth\/sign-in\?next=/);
    const next = nextIn(asked);
    // The older session must pass both pages.
    expect((await browser.get(asked).expect(200)).text).toContain('<h1>Sign in</h1>');
    expect(locationOf(await browser.get(next).expect(302))).toMatch(/^\/oauth\/sign-in/);
    expect(locationOf(await signIn(browser, person, next))).toBe(next);
    const after = await browser.get(next).expect(302);
    if (prompt.includes('consent')) expect(locationOf(after)).toMatch(/^\/oauth\/consents\//);
    else expect(answerIn(after)['code']).toMatch(/^itsm_ac_/);
    // Another request asks again.
    auth.clock.offset = 120_000;
    expect(locationOf(await ask(browser, application, { prompt }))).toMatch(/^\/oauth\/sign-in/);
  });

  test('is asked when login_hint names another person, whose address is prefilled', async () => {
    const { person, application, browser } = await seed();
    const colleague = await seedPerson(auth, { accountId: person.accountId });
    auth.clock.offset = 60_000;
    const asked = locationOf(await ask(browser, application, { login_hint: colleague.email }));
    const page = await browser.get(asked).expect(200);
    expect(page.text).toContain(`value="${colleague.email}"`);
    await signIn(browser, colleague, nextIn(asked));
    const consent = locationOf(await browser.get(nextIn(asked)).expect(302));
    expect((await browser.get(consent).expect(200)).text).toContain(colleague.email);
    // Another person may still sign in there.
    auth.clock.offset = 120_000;
    const again = locationOf(await ask(browser, application, { login_hint: person.email }));
    await signIn(browser, colleague, nextIn(again));
    expect(locationOf(await browser.get(nextIn(again)).expect(302))).toMatch(/^\/oauth\/consents\//);
  });

  test('signing out on the next page, and in again, leads back to it', async () => {
    const { person, application, browser } = await seed();
    auth.clock.offset = 60_000;
    const next = nextIn(locationOf(await ask(browser, application, { prompt: 'login' })));
    await signIn(browser, person, next);
    const page = await browser.get(locationOf(await browser.get(next)));
    const back = /name="next" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    await browser
      .post('/oauth/sign-out')
      .type('form')
      .send({ form_token: formTokenIn(page), next: back });
    await signIn(browser, person, back);
    expect(locationOf(await browser.get(back).expect(302))).toMatch(/^\/oauth\/consents\//);
  });

  test.each(['x', '', '<script>', 'a b@c', `${'a'.repeat(260)}@b.example`])(
    'a login_hint of %j is passed over',
    async (hint) => {
      const { application } = await seed();
      const browser = openBrowser(auth);
      const page = await browser.get(locationOf(await ask(browser, application, { login_hint: hint })));
      expect(page.text).toContain('name="email" value=""');
    },
  );
});

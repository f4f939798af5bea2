import {
  answerIn,
  authorizeQuery,
  formTokenIn,
  locationOf,
  openBrowser,
  openSignedIn,
  signIn,
} from '../testing/browser';
import type { Browser } from '../testing/browser';
import { introspect } from '../testing/client';
import { addAuthenticatorApp, codeNow, factorsPage, postFrom, secretIn } from '../testing/factors';
import type { Auth } from '../testing/start-auth';
import { everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';

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

const settings = '/oauth/administration/account';

/** Creates an administrator with a second factor, in an account that requires one. */
async function seedStrict() {
  const administrator = await seedPerson(auth);
  const { accountId } = administrator;
  const browser = await openSignedIn(auth, administrator);
  await addAuthenticatorApp(auth, browser);
  expect(locationOf(await postFrom(browser, settings, settings, { secondFactorRequired: 'yes' }))).toBe(
    `${settings}?done=saved`,
  );
  const person = await seedPerson(auth, { accountId });
  return { accountId, administrator, browser, person };
}

/** Sets up an authenticator app and follows the redirect. */
async function enrol(browser: Browser, page: string) {
  const shown = await browser.get(page);
  const [, next = ''] = /name="next" value="([^"]+)"/.exec(shown.text) ?? [];
  const begun = await browser
    .post(`${factorsPage}/authenticator/new`)
    .type('form')
    .send({ form_token: formTokenIn(shown), next });
  const [, offer = ''] = /name="offer" value="([^"]+)"/.exec(begun.text) ?? [];
  const fields = { form_token: formTokenIn(begun), offer, next, code: codeNow(auth, secretIn(begun)) };
  const { text } = await browser.post(`${factorsPage}/authenticator`).type('form').send(fields).expect(201);
  const [, goOn = ''] = /href="(\/oauth\/sign-in\?next=[^"]+)"/.exec(text) ?? [];
  return locationOf(await browser.get(goOn));
}

test('a person without a factor must add one first, and then gets to the page they asked for', async () => {
  const { person } = await seedStrict();
  const browser = await openSignedIn(auth, person);
  for (const page of [
    '/oauth/profile',
    '/oauth/administration/people',
    '/oauth/sign-in?next=/oauth/administration/people',
  ])
    expect(locationOf(await browser.get(page))).toMatch(/^\/oauth\/profile\/sign-in\?next=/);
  const form_token = formTokenIn(await browser.get(factorsPage).expect(200, /Your account requires a second factor/));
  const token = { form_token, name: 'Early', days: '7', action: 'request:Read' };
  await browser.post('/oauth/profile/personal-access-tokens').type('form').send(token).expect(303);
  expect(await auth.connection.collection('personal_access_tokens').countDocuments({ personId: person.id })).toBe(0);
  const led = locationOf(await browser.get('/oauth/administration/people'));
  expect(await enrol(browser, led)).toBe('/oauth/administration/people');
  await browser.get('/oauth/profile').expect(200);
});

test('an authorization request waits for the new factor and continues', async () => {
  const { person, accountId } = await seedStrict();
  const application = await seedApplication(auth, accountId);
  const browser = await openSignedIn(auth, person);
  const asked = locationOf(await browser.get('/oauth/authorize').query(authorizeQuery(application, { state: 's' })));
  const led = locationOf(await browser.get(asked));
  expect(led).toMatch(/^\/oauth\/profile\/sign-in\?next=%2Foauth%2Fauthorize%2F/);
  const next = await enrol(browser, led);
  expect(locationOf(await browser.get(next))).toMatch(/^\/oauth\/consents\//);
});

test('with prompt=none no page is shown, and the application gets interaction_required', async () => {
  const { accountId, administrator, browser, person } = await seedStrict();
  const application = await seedApplication(auth, accountId);
  const held = await openSignedIn(auth, person);
  const ask = async (on: Browser, more = {}) =>
    answerIn(await on.get('/oauth/authorize').query(authorizeQuery(application, { prompt: 'none', ...more })));
  expect(await ask(held)).toMatchObject({ error: 'interaction_required' });
  // OpenID Connect Core 1.0 §3.1.2.6 has different errors for a missing sign-in, another person and a missing consent.
  expect(await ask(openBrowser(auth))).toMatchObject({ error: 'login_required' });
  expect(await ask(browser, { login_hint: person.email })).toMatchObject({ error: 'login_required' });
  expect(await ask(browser, { login_hint: administrator.email })).toMatchObject({ error: 'consent_required' });
  await enrol(held, locationOf(await held.get('/oauth/profile')));
  expect(await ask(held)).toMatchObject({ error: 'consent_required' });
});

test('people with a factor, tokens in use and people of other accounts are not affected', async () => {
  const administrator = await seedPerson(auth);
  const { accountId } = administrator;
  const person = await seedPerson(auth, { accountId });
  const expiresAt = new Date(auth.now().getTime() + 86_400_000);
  const input = { personId: person.id, name: 'Script', scopes: everything, expiresAt };
  const { token } = await auth.app.operator.createPersonalAccessToken(input);
  const browser = await openSignedIn(auth, administrator);
  await addAuthenticatorApp(auth, browser);
  await postFrom(browser, settings, settings, { secondFactorRequired: 'yes' });
  await browser.get('/oauth/profile').expect(200);
  expect(await introspect(auth, token)).toMatchObject({ active: true });
  const elsewhere = await openSignedIn(auth, await seedPerson(auth));
  await elsewhere.get('/oauth/profile').expect(200);
  await postFrom(browser, settings, settings);
  await (await openSignedIn(auth, person)).get('/oauth/profile').expect(200);
});

test('the setting is for administrators, with the token of the form', async () => {
  const administrator = await seedPerson(auth);
  const user = await seedPerson(auth, { accountId: administrator.accountId, roles: ['end_user'] });
  const browser = await openSignedIn(auth, user);
  await browser.get(settings).expect(403);
  await postFrom(browser, '/oauth/profile', settings, { secondFactorRequired: 'yes' });
  await (
    await openSignedIn(auth, administrator)
  )
    .post(settings)
    .type('form')
    .send({ secondFactorRequired: 'yes' })
    .expect(403);
  await openBrowser(auth).get(settings).expect(303);
  expect(locationOf(await signIn(openBrowser(auth), user))).toBe('/oauth/profile');
  await browser.get('/oauth/profile').expect(200);
});

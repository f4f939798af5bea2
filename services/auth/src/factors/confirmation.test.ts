import { createAuthenticator } from '../testing/authenticator';
import type { Response } from 'supertest';
import { formTokenIn, openBrowser, openSignedIn, signIn } from '../testing/browser';
import type { Browser } from '../testing/browser';
import { addAuthenticatorApp, addPasskey, codeNow, factorsPage, passkeyOptionsIn } from '../testing/factors';
import type { Auth } from '../testing/start-auth';
import { seedPerson, startStore } from '../testing/start-auth';

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

const tokens = '/oauth/profile/personal-access-tokens';
const half = 30 * 60_000;
const tokenFields = { name: 'My "script" <b>', days: '90', action: ['request:Read', 'me:Name'] };

async function seed() {
  const person = await seedPerson(auth);
  const browser = await openSignedIn(auth, person);
  return { person, browser };
}

async function post(browser: Browser, address: string, fields: object) {
  const form_token = formTokenIn(await browser.get('/oauth/profile'));
  return browser
    .post(address)
    .type('form')
    .send({ form_token, ...fields });
}

const unescape = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** The fields of the page's last form, as a browser sends them. */
function fieldsIn(text: string): [string, string][] {
  const form = text.slice(
    text.lastIndexOf('<form method="post" action="/oauth/profile') + 1 || text.lastIndexOf('<form'),
  );
  return [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    unescape(name),
    unescape(value),
  ]);
}

async function answer(browser: Browser, address: string, page: string, shown: Record<string, string>) {
  const body = new URLSearchParams([...fieldsIn(page), ...Object.entries(shown)]).toString();
  return browser.post(address).type('form').send(body);
}

const count = (personId: number) => auth.connection.collection('personal_access_tokens').countDocuments({ personId });

test('after half an hour, making a token needs a new sign-in, which keeps the typed form and continues it', async () => {
  const { person, browser } = await seed();
  auth.clock.offset = half - 1_000;
  expect((await post(browser, tokens, { ...tokenFields, name: 'Before' })).status).toBe(201);
  auth.clock.offset = half;
  const asked = await post(browser, tokens, tokenFields);
  expect(asked.status).toBe(200);
  expect(asked.text).toContain('<h1>Sign in again</h1>');
  expect(asked.text.replaceAll('<wbr>', '')).toContain(person.email);
  expect(await count(person.id)).toBe(1);
  const wrong = await answer(browser, tokens, asked.text, { confirm_password: 'wrong' });
  expect(wrong.status).toBe(401);
  expect(wrong.text).toContain('The password or the code is wrong.');
  expect(await count(person.id)).toBe(1);
  const made = await answer(browser, tokens, wrong.text, { confirm_password: person.password });
  expect(made.status).toBe(201);
  const stored = await auth.connection
    .collection('personal_access_tokens')
    .findOne({ personId: person.id, name: tokenFields.name });
  expect(stored).toMatchObject({ scopes: [{ effect: 'allow', actions: tokenFields.action }] });
  expect((await post(browser, tokens, { ...tokenFields, name: 'After' })).status).toBe(201);
});

test('a form with errors is shown again with the typed values', async () => {
  const { person, browser } = await seed();
  auth.clock.offset = half;
  const asked = await post(browser, tokens, { name: 'Kept', days: '90' });
  const refused = await answer(browser, tokens, asked.text, { confirm_password: person.password });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('value="Kept"');
  expect(refused.text).toMatch(/value="90" selected/);
});

test('SSO configurations, factors and account settings take it as well', async () => {
  const { person, browser } = await seed();
  auth.clock.offset = half;
  const administration = '/oauth/administration';
  for (const address of [
    `${administration}/sso-configurations`,
    `${administration}/sso-configurations/1`,
    `${administration}/account`,
    `${factorsPage}/authenticator/new`,
    `${factorsPage}/authenticator`,
    `${factorsPage}/authenticator/remove`,
    `${factorsPage}/passkeys/new`,
    `${factorsPage}/passkeys`,
    `${factorsPage}/passkeys/x/remove`,
    `${factorsPage}/recovery-codes`,
  ]) {
    const asked = await post(browser, address, { name: 'x' });
    expect([address, asked.status, asked.text.includes('<h1>Sign in again</h1>')]).toEqual([address, 200, true]);
    await browser
      .post(address)
      .type('form')
      .send({ confirm_again: 'yes', confirm_password: person.password })
      .expect(403);
  }
});

test("guesses are throttled, and another person's password is refused", async () => {
  const { person, browser } = await seed();
  const other = await seedPerson(auth, { accountId: person.accountId });
  auth.clock.offset = half;
  let page = (await post(browser, tokens, tokenFields)).text;
  const statuses: number[] = [];
  for (let times = 0; times < 7; times += 1) {
    const { status, text } = await answer(browser, tokens, page, { confirm_password: other.password });
    statuses.push(status);
    page = text;
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  expect((await answer(browser, tokens, page, { confirm_password: person.password })).status).toBe(429);
  expect(await count(person.id)).toBe(0);
  // Only the session with the guesses is throttled.
  auth.clock.offset = 0;
  const elsewhere = await openSignedIn(auth, person);
  auth.clock.offset = half;
  const asked = await post(elsewhere, tokens, tokenFields);
  expect((await answer(elsewhere, tokens, asked.text, { confirm_password: person.password })).status).toBe(201);
});

test('with an authenticator app the password needs its code', async () => {
  const { person, browser } = await seed();
  const { secret } = await addAuthenticatorApp(auth, browser);
  auth.clock.offset = half;
  const asked = await post(browser, tokens, tokenFields);
  const without = await answer(browser, tokens, asked.text, { confirm_password: person.password });
  expect(without.status).toBe(401);
  const shown = { confirm_password: person.password, confirm_code: codeNow(auth, secret) };
  expect((await answer(browser, tokens, without.text, shown)).status).toBe(201);
});

test('a passkey with user verification replaces the password', async () => {
  const { browser } = await seed();
  const [verifying, touched] = [createAuthenticator(), createAuthenticator({ userVerified: false })];
  await addPasskey(browser, verifying, 'Laptop');
  await addPasskey(browser, touched, 'Stick');
  auth.clock.offset = half;
  const asked = await post(browser, tokens, tokenFields);
  const refused = await answer(browser, tokens, asked.text, { confirm_passkey: touched.get(passkeyOptionsIn(asked)) });
  expect(refused.status).toBe(401);
  const shown = { confirm_passkey: verifying.get(passkeyOptionsIn(refused)) };
  expect((await answer(browser, tokens, refused.text, shown)).status).toBe(201);
});

const sessionIn = (response: Response): string =>
  /session=[\w-]{43}/.exec(response.get('Set-Cookie')?.join(';') ?? '')?.[0] ?? '';

test("signing in again replaces the session id, ends the former one, and keeps the session's expiry", async () => {
  const person = await seedPerson(auth);
  const browser = openBrowser(auth);
  const former = sessionIn(await signIn(browser, person));
  const withFormer = () => auth.http.get('/oauth/profile').set('Cookie', former);
  await withFormer().expect(200);
  const elsewhere = await openSignedIn(auth, person);
  const stored = () =>
    auth.connection.collection('sessions').find({ personId: person.id }).sort({ createdAt: 1 }).toArray();
  const before = await stored();
  auth.clock.offset = half;

  const asked = await post(browser, tokens, tokenFields);
  const made = await answer(browser, tokens, asked.text, { confirm_password: person.password });
  expect(sessionIn(made)).not.toBe('');
  // Later pages have form tokens of the new session.
  await browser
    .post('/oauth/profile/sessions/none/end')
    .type('form')
    .send({ form_token: formTokenIn(made) })
    .expect(303);
  const after = await stored();
  expect(after.map(({ expiresAt }) => expiresAt as Date)).toEqual(before.map(({ expiresAt }) => expiresAt as Date));
  expect(after.map(({ _id }) => String(_id))).toEqual(before.map(({ _id }) => String(_id)));
  await withFormer().expect(303);
  await elsewhere.get('/oauth/profile').expect(200);
});

test('of two concurrent forms that sign in again one continues, and no extra session is left', async () => {
  const { person, browser } = await seed();
  auth.clock.offset = half;
  const asked = await post(browser, tokens, { ...tokenFields, name: 'One' });
  const shown = { confirm_password: person.password };
  const [one, other] = await Promise.all([
    answer(browser, tokens, asked.text, shown),
    answer(browser, tokens, asked.text, shown),
  ]);
  expect([one.status, other.status].sort()).toEqual([201, 403]);
  expect(await count(person.id)).toBe(1);
  expect(await auth.connection.collection('sessions').countDocuments({ personId: person.id })).toBe(1);
});

test('a former session id is refused', async () => {
  const { person } = await seed();
  const opened = openBrowser(auth);
  const old = sessionIn(await signIn(opened, person));
  auth.clock.offset = half;
  const asked = await post(opened, tokens, tokenFields);
  expect((await answer(opened, tokens, asked.text, { confirm_password: person.password })).status).toBe(201);
  await auth.http.get('/oauth/profile').set('Cookie', old).expect(303);
  await opened.get('/oauth/profile').expect(200);
});

import {
  attempt,
  authorizeQuery,
  formTokenIn,
  locationOf,
  openBrowser,
  openSignedIn,
  signIn,
} from '../testing/browser';
import type { Auth } from '../testing/start-auth';
import { seedApplication, seedPerson, startStore } from '../testing/start-auth';

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

const cookiesOf = ({ headers }: { headers: unknown }): string[] =>
  (headers as { 'set-cookie'?: string[] })['set-cookie'] ?? [];

let lastAddress = 0;
const address = () => `203.0.113.${(lastAddress += 1)}`;

test('sign-in sets a new session id, in a cookie with HttpOnly and SameSite', async () => {
  const person = await seedPerson(auth);
  const browser = openBrowser(auth);
  const before = await browser.get('/oauth/sign-in');
  const after = await signIn(browser, person);
  expect(after.status).toBe(303);
  const [one, other] = [cookiesOf(before)[0] ?? '', cookiesOf(after)[0] ?? ''];
  expect(one.split(';')[0]).not.toBe(other.split(';')[0]);
  for (const cookie of [one, other]) expect(cookie).toMatch(/^session=[\w-]{43}; .*HttpOnly.*SameSite=Lax/);
  expect(cookiesOf(after)[1]).toMatch(
    /^known-browser=[\w.-]+; Max-Age=15552000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
  );
});

test('over https the cookie is bound to the host and Secure', async () => {
  const secure = await store.start({ settings: { BASE_URL: 'https://api.example' } });
  const cookies = cookiesOf(await openBrowser(secure).get('/oauth/sign-in'));
  expect(cookies[0]).toMatch(/^__Host-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
});

test('a planted session id is useless after sign-in (session fixation)', async () => {
  const person = await seedPerson(auth);
  const planted = 'A'.repeat(43);
  const browser = openBrowser(auth);
  const page = await browser.get('/oauth/sign-in').set('Cookie', `session=${planted}`);
  const form = { form_token: formTokenIn(page), email: person.email, password: person.password };
  await browser.post('/oauth/sign-in').set('Cookie', `session=${planted}`).type('form').send(form).expect(303);
  await openBrowser(auth).get('/oauth/profile').set('Cookie', `session=${planted}`).expect(303);
});

test('a sign-in ends the session that the browser had', async () => {
  const [person, next] = [await seedPerson(auth), await seedPerson(auth)];
  const browser = openBrowser(auth);
  const cookie = cookiesOf(await signIn(browser, person))[0]?.split(';')[0] ?? '';
  const form = { form_token: formTokenIn(await browser.get('/oauth/profile')), email: next.email };
  await browser
    .post('/oauth/sign-in')
    .type('form')
    .send({ ...form, password: next.password })
    .expect(303);
  await openBrowser(auth).get('/oauth/profile').set('Cookie', cookie).expect(303);
});

test('signing out ends the session on the server', async () => {
  const person = await seedPerson(auth);
  const browser = openBrowser(auth);
  const cookie = cookiesOf(await signIn(browser, person))[0]?.split(';')[0] ?? '';
  const form_token = formTokenIn(await browser.get('/oauth/profile'));
  await browser.post('/oauth/sign-out').type('form').send({ form_token }).expect(303);
  await openBrowser(auth).get('/oauth/profile').set('Cookie', cookie).expect(303);
});

test('a session expires after eight idle hours, and after a week in any case', async () => {
  const person = await seedPerson(auth);
  const browser = await openSignedIn(auth, person);
  for (let hours = 7; hours < 7 * 24; hours += 7) {
    auth.clock.offset = hours * 3_600_000;
    await browser.get('/oauth/profile').expect(200);
  }
  auth.clock.offset = 7 * 24 * 3_600_000;
  await browser.get('/oauth/profile').expect(303);
  auth.clock.offset = 0;
  const idle = await openSignedIn(auth, person);
  auth.clock.offset = 8 * 3_600_000;
  await idle.get('/oauth/profile').expect(303);
});

test('an unknown person, a wrong password and a disabled person get the same answer', async () => {
  const person = await seedPerson(auth);
  const disabled = await seedPerson(auth);
  await auth.app.services.persons.disable(disabled.accountId, disabled.id);
  const answers = await Promise.all([
    attempt(auth, { email: 'nobody@nowhere.example', password: person.password }, address()),
    attempt(auth, { email: person.email, password: 'wrong' }, address()),
    attempt(auth, disabled, address()),
  ]);
  for (const { status, text } of answers) {
    expect(status).toBe(401);
    expect(text).toContain('The e-mail address or the password is wrong.');
  }
});

test('a disabled person is signed out everywhere', async () => {
  const person = await seedPerson(auth);
  const browser = await openSignedIn(auth, person);
  await auth.app.services.persons.disable(person.accountId, person.id);
  await browser.get('/oauth/profile').expect(303);
});

test.each([
  'https://evil.test/',
  '//evil.test',
  '/\\evil.test',
  '/oauth/authorize',
  'javascript:alert(1)',
  '/oauth/authorize?\r\nX: y',
])('sign-in does not lead to %s', async (next) => {
  const person = await seedPerson(auth);
  expect(locationOf(await signIn(openBrowser(auth), person, next))).toBe('/oauth/profile');
});

test.each([
  ['/oauth/administration/people/1?done=saved', true],
  ['/oauth/administration/../../anything', false],
  ['/oauth/administration/people/../../../x', false],
  ['/oauth/administration/%2e%2e/%2E%2e/x', false],
  ['/oauth/administration/..\\..\\x', false],
  ['/oauth/administration/./people', false],
])('after sign-in the way leads on to %s: %s', async (next, leadsOn) => {
  const person = await seedPerson(auth);
  expect(locationOf(await signIn(openBrowser(auth), person, next))).toBe(leadsOn ? next : '/oauth/profile');
});

test('a next address that is too long for the form is dropped', async () => {
  const next = `/oauth/administration/people?${'x'.repeat(500)}`;
  const { text } = await openBrowser(auth).get('/oauth/sign-in').query({ next });
  expect(text).toContain('name="next" value="/oauth/profile"');
});

test('the sign-in form may lead to the waiting application, and otherwise only to this site', async () => {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId);
  const asked = await openBrowser(auth).get('/oauth/authorize').query(authorizeQuery(application));
  const policyOf = async (page: string) => {
    const { headers } = await openBrowser(auth).get(page);
    return (headers as Record<string, string>)['content-security-policy'];
  };
  expect(await policyOf(locationOf(asked))).not.toContain('form-action');
  expect(await policyOf('/oauth/sign-in')).toMatch(/form-action 'self'; script-src 'self'$/);
  const unknown = encodeURIComponent(`/oauth/authorize/01234567.${'a'.repeat(200)}`);
  expect(await policyOf(`/oauth/sign-in?next=${unknown}`)).toMatch(/form-action 'self'; script-src 'self'$/);
});

test('a sign-in after more than an hour must start again at the application', async () => {
  const later = await store.start();
  const person = await seedPerson(later);
  const application = await seedApplication(later, person.accountId);
  const asked = await openBrowser(later).get('/oauth/authorize').query(authorizeQuery(application));
  const next = new URL(locationOf(asked), 'http://x').searchParams.get('next') ?? '';
  later.clock.offset = 3_540_000;
  const browser = openBrowser(later);
  expect(locationOf(await signIn(browser, person, next))).toBe(next);
  expect(locationOf(await browser.get(next).expect(302))).toMatch(/^\/oauth\/consents\//);
  later.clock.offset = 3_601_000;
  expect((await browser.get(next).expect(400)).text).toContain('start again');
  later.clock.offset = 0;
});

test('resetting a password ends every session of the person, and of no other', async () => {
  const person = await seedPerson(auth);
  const colleague = await seedPerson(auth, { accountId: person.accountId });
  const open = async () => Promise.all([openSignedIn(auth, person), openSignedIn(auth, colleague)]);
  const password = 'another long password';
  const ways = [
    () => auth.app.operator.setPassword(person.accountId, person.email, password),
    () => auth.app.operator.ensurePerson({ ...person, name: 'Ellen', primaryEmail: person.email, password, roles: [] }),
  ];
  for (const set of ways) {
    const [browser, other] = await open();
    await browser.get('/oauth/profile').expect(200);
    await set();
    await browser.get('/oauth/profile').expect(303);
    await other.get('/oauth/profile').expect(200);
    expect(locationOf(await signIn(browser, { ...person, password }))).toBe('/oauth/profile');
    await browser.get('/oauth/profile').expect(200);
    person.password = password;
  }
});

test('a person with one address in two accounts chooses the account', async () => {
  const email = 'shared@both.example';
  const one = await seedPerson(auth, { primaryEmail: email });
  const other = await seedPerson(auth, { primaryEmail: email });
  const browser = openBrowser(auth);
  const form_token = formTokenIn(await browser.get('/oauth/sign-in'));
  const form = { form_token, email, password: other.password, account: other.accountId };
  await browser.post('/oauth/sign-in').type('form').send(form).expect(303);
  const { text } = await browser.get('/oauth/profile').expect(200);
  expect(text).toContain(other.accountId);
  expect(text).not.toContain(one.accountId);
});

test('a person of the directory account signs in for an application of a child account', async () => {
  const email = 'shared@directory.example';
  const stranger = await seedPerson(auth, { primaryEmail: email });
  const person = await seedPerson(auth, { primaryEmail: email });
  const { accountId: child } = await seedPerson(auth);
  await auth.app.operator.ensureAccount({ id: child, name: 'Child', directoryAccountId: person.accountId });
  const application = await seedApplication(auth, child);
  const browser = openBrowser(auth);
  const asked = await browser.get('/oauth/authorize').query(authorizeQuery(application));
  const page = await browser.get(locationOf(asked)).expect(200);
  expect(page.text).toContain(`value="${child}"`);
  const next = new URL(locationOf(asked), 'http://x').searchParams.get('next') ?? '';
  const form = { form_token: formTokenIn(page), email, account: child, next };
  const post = (password: string) =>
    browser
      .post('/oauth/sign-in')
      .type('form')
      .send({ ...form, password });
  await post('wrong').expect(401);
  expect(locationOf(await post(person.password).expect(303))).toBe(next);
  expect((await browser.get('/oauth/profile').expect(200)).text).toContain(person.accountId);
  const logged = await auth.connection
    .collection('security_log')
    .find({ event: /^sign_in/, accountIds: { $in: [stranger.accountId, person.accountId] } })
    .sort({ _id: 1 })
    .toArray();
  // The wrong password may have been for the stranger; the right one leaves no entry in the stranger's log.
  expect(logged).toMatchObject([
    { event: 'sign_in.succeeded', accountIds: [person.accountId] },
    { event: 'sign_in.failed', accountIds: [stranger.accountId], ip: null },
    { event: 'sign_in.failed', accountIds: [person.accountId], ip: null },
  ]);
});

test('a form without a token, with a foreign one, or with lists and objects is refused', async () => {
  const person = await seedPerson(auth);
  const browser = openBrowser(auth);
  const form_token = formTokenIn(await browser.get('/oauth/sign-in'));
  const post = (body: string) => browser.post('/oauth/sign-in').type('form').send(body);
  const fields = `email=${person.email}&password=${person.password}`;
  await post(fields).expect(403);
  await post(`${fields}&form_token=${'x'.repeat(43)}`).expect(403);
  await post(`email[$ne]=&password[$ne]=&form_token=${form_token}`).expect(400);
  await post(`${fields}&${fields}&form_token=${form_token}`).expect(400);
  await post(`form_token=${form_token}&email=${'a'.repeat(40_000)}`).expect(413);
});

test('signing out on the authorization page leads back to it after the next sign-in', async () => {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId);
  const browser = await openSignedIn(auth, person);
  const asked = await browser.get('/oauth/authorize').query(authorizeQuery(application, { state: 's t' }));
  const page = await browser.get(locationOf(asked));
  const next = (/name="next" value="([^"]+)"/.exec(page.text)?.[1] ?? '').replaceAll('&amp;', '&');
  const out = await browser
    .post('/oauth/sign-out')
    .type('form')
    .send({ form_token: formTokenIn(page), next });
  expect(locationOf(out)).toBe(`/oauth/sign-in?next=${encodeURIComponent(next)}`);
  const again = await browser.get(locationOf(await signIn(browser, person, next)));
  expect(locationOf(again)).toMatch(/^\/oauth\/consents\//);
});

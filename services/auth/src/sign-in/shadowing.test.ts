import { attempt, formTokenIn, locationOf, openBrowser, openSignedIn } from '../testing/browser';
import type { Browser } from '../testing/browser';
import type { Auth, SeededPerson } from '../testing/start-auth';
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

let last = 0;
const network = () => `2001:db8:5ade:${(last += 1).toString(16)}::1`;

/** Creates a person, and a person of an older account whom its administrator gave the same address. */
async function seedShadowed(more: { readonly samePassword?: boolean } = {}) {
  const shadow = await seedPerson(auth);
  const person = await seedPerson(auth);
  await auth.connection
    .collection<{ _id: number }>('people')
    .updateOne({ _id: shadow.id }, { $set: { primaryEmail: person.email, emailKey: person.email } });
  shadow.email = person.email;
  if (more.samePassword) {
    await auth.app.operator.setPassword(shadow.accountId, shadow.email, person.password);
    shadow.password = person.password;
  }
  return { shadow, person };
}

const written = (accountId: string) =>
  auth.connection
    .collection('security_log')
    .find({ event: /^sign_in/, accountIds: accountId })
    .sort({ _id: 1 })
    .toArray();

async function accountOf(browser: Browser): Promise<string> {
  const { text } = await browser.get('/oauth/profile').expect(200);
  return /<dt>Account<\/dt><dd>Account (\w+)/.exec(text)?.[1] ?? '';
}

const form = (browser: Browser, path: string, ip: string, fields: object) =>
  browser.post(path).set('X-Forwarded-For', ip).type('form').send(fields);

async function attemptIn(account: string, { email }: SeededPerson, password: string, ip: string) {
  const browser = openBrowser(auth);
  const form_token = formTokenIn(await browser.get('/oauth/sign-in'));
  return form(browser, '/oauth/sign-in', ip, { form_token, email, password, account });
}

test("a person signs in though an older account gave their address to its own person, and that account's log stays empty", async () => {
  const { shadow, person } = await seedShadowed();
  const browser = openBrowser(auth);
  expect((await attempt(auth, person, network(), browser)).status).toBe(303);
  expect(await accountOf(browser)).toBe(person.accountId);
  expect(await written(shadow.accountId)).toEqual([]);
  expect(await written(person.accountId)).toMatchObject([
    { event: 'sign_in.succeeded', ip: expect.any(String) as string },
  ]);
  expect((await attemptIn(shadow.accountId, person, person.password, network())).status).toBe(303);
  expect(await written(shadow.accountId)).toEqual([]);
});

test('after a wrong password for an address in several accounts, none of their logs shows network and browser', async () => {
  const { shadow, person } = await seedShadowed();
  const ip = network();
  for (let count = 0; count < 6; count += 1) await attempt(auth, { ...person, password: 'wrong' }, ip);
  for (const { accountId, id } of [shadow, person]) {
    const entries = await written(accountId);
    expect(entries).toHaveLength(6);
    expect(entries[0]).toMatchObject({ event: 'sign_in.throttled', person: { id } });
    expect(entries[1]).toMatchObject({ event: 'sign_in.failed', person: { id }, facts: { because: 'wrong password' } });
    for (const entry of entries) expect(entry).toMatchObject({ ip: null, userAgent: null });
  }
});

test("a known browser is shown in the log of its person's account only", async () => {
  const { shadow, person } = await seedShadowed();
  const browser = await openSignedIn(auth, person);
  await browser
    .post('/oauth/sign-out')
    .type('form')
    .send({ form_token: formTokenIn(await browser.get('/oauth/profile')) });
  await attempt(auth, { ...person, password: 'wrong' }, network(), browser);
  expect((await written(person.accountId))[0]).toMatchObject({
    event: 'sign_in.failed',
    ip: expect.any(String) as string,
  });
  expect((await written(shadow.accountId))[0]).toMatchObject({ event: 'sign_in.failed', ip: null, userAgent: null });
});

test.each(['of its own', 'of none'])(
  'signing in as the other person of an address, with the account %s named, does not give back a guess',
  async (which) => {
    const { shadow, person } = await seedShadowed();
    const ip = network();
    const named = which === 'of none' ? '' : shadow.accountId;
    const statuses: number[] = [];
    for (let guess = 0; guess < 8; guess += 1) {
      statuses.push((await attemptIn(person.accountId, person, `guess ${guess}`, ip)).status);
      expect((await attemptIn(named, shadow, shadow.password, ip)).status).toBe(303);
    }
    expect(statuses).toContain(429);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(5);
  },
);

test('guesses for one account do not throttle the person with the same address in another', async () => {
  const { shadow, person } = await seedShadowed();
  const ip = network();
  for (let guess = 0; guess < 8; guess += 1) await attemptIn(shadow.accountId, shadow, 'wrong', ip);
  // The password is wrong for the named account, so it is compared in the others, where it is right.
  auth.clock.offset = 15 * 60_000;
  expect((await attemptIn(person.accountId, person, person.password, ip)).status).toBe(303);
});

test('a known-browser cookie is not shared by people with the same address', async () => {
  const { shadow, person } = await seedShadowed();
  const statuses: number[] = [];
  const ip = network();
  for (let guess = 0; guess < 8; guess += 1) {
    const browser = openBrowser(auth);
    await attempt(auth, shadow, network(), browser);
    await browser
      .post('/oauth/sign-out')
      .type('form')
      .send({ form_token: formTokenIn(await browser.get('/oauth/profile')) });
    statuses.push((await attempt(auth, { ...person, password: `guess ${guess}` }, ip, browser)).status);
  }
  expect(statuses).toContain(429);
});

describe('one password of several people', () => {
  async function ask() {
    const { shadow, person } = await seedShadowed({ samePassword: true });
    const browser = openBrowser(auth);
    const page = await attempt(auth, person, network(), browser);
    expect(page.status).toBe(200);
    const choice = /name="choice" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    return { shadow, person, browser, page, choice, form_token: formTokenIn(page) };
  }
  const post = (browser: Browser, fields: object) => form(browser, '/oauth/sign-in/choice', network(), fields);

  test('asks for the account, by name, and signs in there', async () => {
    const { shadow, person, browser, page, ...fields } = await ask();
    for (const { accountId } of [shadow, person]) expect(page.text).toContain(`Account ${accountId}`);
    expect(await written(person.accountId)).toEqual([]);
    await browser.get('/oauth/profile').expect(303);
    expect(locationOf(await post(browser, { ...fields, person: person.id }).expect(303))).toBe('/oauth/profile');
    expect(await accountOf(browser)).toBe(person.accountId);
    expect(await written(shadow.accountId)).toEqual([]);
    expect(await written(person.accountId)).toMatchObject([{ event: 'sign_in.succeeded' }]);
    await post(browser, { ...fields, person: shadow.id }).expect(403);
  });

  test('is not asked where the account is named, or the person has signed in before', async () => {
    const { person } = await ask();
    expect((await attemptIn(person.accountId, person, person.password, network())).status).toBe(303);
    const { person: other, browser, page: _page, shadow: _shadow, ...fields } = await ask();
    await post(browser, { ...fields, person: other.id });
    await browser
      .post('/oauth/sign-out')
      .type('form')
      .send({ form_token: formTokenIn(await browser.get('/oauth/profile')) });
    expect((await attempt(auth, other, network(), browser)).status).toBe(303);
    expect(await accountOf(browser)).toBe(other.accountId);
  });

  test('can be chosen only for people whose password was right, in that browser, for five minutes', async () => {
    const stranger = await seedPerson(auth);
    const { person, browser, page: _page, shadow: _shadow, ...fields } = await ask();
    await post(browser, { ...fields, person: stranger.id }).expect(400);
    await post(browser, { ...fields, person: person.id, choice: 'x' }).expect(400);
    await post(browser, { ...fields, person: person.id, choice: 'x'.repeat(5000) }).expect(400);
    await post(browser, { person: person.id, choice: fields.choice }).expect(403);
    const other = openBrowser(auth);
    const form_token = formTokenIn(await other.get('/oauth/sign-in'));
    await post(other, { form_token, choice: fields.choice, person: person.id }).expect(400);
    auth.clock.offset = 5 * 60_000;
    await post(browser, { ...fields, person: person.id }).expect(400);
  });

  test('ends when a new password is set or the person is disabled', async () => {
    for (const end of [
      (person: SeededPerson) => auth.app.operator.setPassword(person.accountId, person.email, 'another long password'),
      (person: SeededPerson) => auth.app.services.persons.disable(person.accountId, person.id),
    ]) {
      const { person, browser, page: _page, shadow: _shadow, ...fields } = await ask();
      await end(person);
      await post(browser, { ...fields, person: person.id }).expect(401);
    }
  });
});

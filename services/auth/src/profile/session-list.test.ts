import { formTokenIn, locationOf, openBrowser, openSignedIn, signIn } from '../testing/browser';
import type { Browser } from '../testing/browser';
import { introspect } from '../testing/client';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { everything, seedPerson, startStore } from '../testing/start-auth';

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

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';

async function openAs(person: SeededPerson, on = auth): Promise<Browser> {
  const browser = openBrowser(on);
  const page = await browser.get('/oauth/sign-in');
  await browser
    .post('/oauth/sign-in')
    .set({ 'User-Agent': firefox, 'X-Forwarded-For': '203.0.113.9' })
    .type('form')
    .send({ form_token: formTokenIn(page), email: person.email, password: person.password })
    .expect(303);
  return browser;
}

const rowsIn = (text: string): string[] =>
  [...text.matchAll(/<p class="small">(?:This browser · )?(?:[Ss]een at|[Uu]nknown address)[^]*?<\/li>/g)].map(
    ([row]) => row,
  );
const endAddressIn = (text: string): string =>
  /action="(\/oauth\/profile\/sessions\/[\w-]{43}\/end)"/.exec(text)?.[1] ?? '';
const eventsOf = async ({ accountId }: SeededPerson) =>
  (await auth.connection.collection('security_log').find({ accountIds: accountId }).sort({ _id: 1 }).toArray()).map(
    ({ event, facts }) => ({ event: event as string, facts: facts as object }),
  );

async function post(browser: Browser, address: string, fields: object = {}) {
  const form_token = formTokenIn(await browser.get('/oauth/profile'));
  return browser
    .post(address)
    .type('form')
    .send({ form_token, ...fields });
}

test('the profile lists the sessions with browser, address and times, and marks the present one', async () => {
  const person = await seedPerson(auth);
  await openAs(person);
  auth.clock.offset = 3_600_000;
  const browser = await openSignedIn(auth, person);
  const { text } = await browser.get('/oauth/profile').expect(200);
  const rows = rowsIn(text);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toContain('This browser');
  expect(rows[0]).not.toContain('<form');
  expect(text).toContain('<h3>Firefox 144 on Linux</h3>');
  expect(rows[1]).toContain('Seen at 203.0.113.9');
  expect(rows[1]).toMatch(
    /Since <time datetime="[^"]+Z">[^<]+ UTC<\/time> · last seen <time datetime="[^"]+Z">[^<]+ UTC</,
  );
});

test('an expired session is not listed', async () => {
  const person = await seedPerson(auth);
  await openAs(person);
  auth.clock.offset = 8 * 3_600_000;
  const browser = await openSignedIn(auth, person);
  expect(rowsIn((await browser.get('/oauth/profile')).text)).toHaveLength(1);
});

test('ending one session is idempotent, and the others stay', async () => {
  const person = await seedPerson(auth);
  const [other, browser] = [await openAs(person), await openSignedIn(auth, person)];
  const address = endAddressIn((await browser.get('/oauth/profile')).text);
  for (let times = 0; times < 2; times += 1)
    expect(locationOf(await post(browser, address))).toBe('/oauth/profile?revoked=session');
  await other.get('/oauth/profile').expect(303);
  await browser.get('/oauth/profile?revoked=session').expect(200, /that browser has to sign in again/);
  expect((await eventsOf(person)).filter(({ event }) => event === 'session.ended')).toHaveLength(1);
});

test('another person, of the same or another account, cannot end it, nor a form without its token', async () => {
  const person = await seedPerson(auth);
  const [other, browser] = [await openAs(person), await openSignedIn(auth, person)];
  const address = endAddressIn((await browser.get('/oauth/profile')).text);
  for (const stranger of [await seedPerson(auth, { accountId: person.accountId }), await seedPerson(auth)])
    await post(await openSignedIn(auth, stranger), address);
  await browser.post(address).type('form').send({}).expect(403);
  await openBrowser(auth).post(address).type('form').send({}).expect(303);
  await other.get('/oauth/profile').expect(200);
  expect(await eventsOf(person)).not.toContainEqual(expect.objectContaining({ event: 'session.ended' }));
});

test('half an hour after sign-in, ending sessions needs a step-up', async () => {
  const person = await seedPerson(auth);
  const [other, browser] = [await openAs(person), await openSignedIn(auth, person)];
  const one = endAddressIn((await browser.get('/oauth/profile')).text);
  auth.clock.offset = 30 * 60_000;
  for (const address of [one, '/oauth/profile/sessions/end-all']) {
    expect((await post(browser, address)).text).toContain('<h1>Sign in again</h1>');
    await other.get('/oauth/profile').expect(200);
  }
  const shown = { confirm_again: 'yes', confirm_password: person.password };
  expect(locationOf(await post(browser, one, shown))).toBe('/oauth/profile?revoked=session');
  await other.get('/oauth/profile').expect(303);
  // Only the renewed session is left.
  expect(rowsIn((await browser.get('/oauth/profile')).text)).toHaveLength(1);
  expect(locationOf(await post(browser, '/oauth/profile/sessions/end-all'))).toBe('/oauth/sign-in');
  await browser.get('/oauth/profile').expect(303);
});

test('signing out everywhere ends every session at once on every replica, of this person alone, and no token', async () => {
  const person = await seedPerson(auth);
  const neighbour = await seedPerson(auth, { accountId: person.accountId });
  const expiresAt = new Date(auth.now().getTime() + 86_400_000);
  const { token } = await auth.app.operator.createPersonalAccessToken({
    personId: person.id,
    name: 'Script',
    scopes: everything,
    expiresAt,
  });
  const replica = await store.start({ database: auth.database });
  const [here, there, browser] = [await openAs(person), await openAs(person, replica), await openAs(person)];
  const apart = await openSignedIn(auth, neighbour);
  await browser.post('/oauth/profile/sessions/end-all').type('form').send({}).expect(403);
  expect(locationOf(await post(browser, '/oauth/profile/sessions/end-all'))).toBe('/oauth/sign-in');
  for (const ended of [here, there, browser]) await ended.get('/oauth/profile').expect(303);
  await apart.get('/oauth/profile').expect(200);
  expect(await introspect(auth, token)).toMatchObject({ active: true });
  expect(await eventsOf(person)).toContainEqual({ event: 'session.all_ended', facts: { sessions: 3 } });
  expect((await signIn(openBrowser(auth), person)).status).toBe(303);
});

import { randomBytes } from 'node:crypto';
import type { Response } from 'supertest';
import { answerIn, authorizeQuery, formTokenIn, locationOf, openBrowser, signIn } from '../testing/browser';
import type { Browser } from '../testing/browser';
import { json, makeKey, startLocalProvider } from '../testing/local-provider';
import { answerOf, clientId, endpointsOf } from '../testing/provider-scene';
import type { Auth, SeededApplication, SeededPerson } from '../testing/start-auth';
import { callback, seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start({ settings: { ALLOW_INSECURE_PROVIDERS: 'true' } });
});
afterAll(() => store.close());

async function seed() {
  const person = await seedPerson(auth);
  return { person, application: await seedApplication(auth, person.accountId) };
}

/** The `next` of the sign-in page that a request leads to. */
async function ask(application: SeededApplication, more: Record<string, string> = {}, browser = openBrowser(auth)) {
  const query = authorizeQuery(application, more);
  const answer = await browser.get('/oauth/authorize').set('X-Forwarded-For', '203.0.113.9').query(query).expect(302);
  return new URL(locationOf(answer), 'http://x').searchParams.get('next') ?? '';
}

async function allow(browser: Browser, next: string) {
  const question = locationOf(await browser.get(next).expect(302));
  const form = { form_token: formTokenIn(await browser.get(question)), decision: 'allow' };
  return answerIn(await browser.post(question).type('form').send(form).expect(302));
}

/** The ids of all documents. Background work (outbox, heartbeat) changes documents, but adds none. */
async function everythingStored(): Promise<unknown[]> {
  const names = (await auth.connection.listCollections()).map(({ name }) => name).sort();
  const ids = (name: string) => auth.connection.collection(name).distinct('_id');
  return Promise.all(names.map(async (name) => [name, await ids(name)]));
}

test('requests without sign-in are not stored, and cannot displace waiting ones', async () => {
  const { person, application } = await seed();
  const browser = openBrowser(auth);
  const next = await ask(application, { state: 'of the office' }, browser);
  const before = await everythingStored();
  for (let time = 0; time < 100; time += 1) await ask(application, { state: 'x'.repeat(4_000) });
  expect(await everythingStored()).toEqual(before);
  await signIn(browser, person, next);
  expect(await allow(browser, next)).toMatchObject({ state: 'of the office' });
});

test('a forged or changed waiting request is refused', async () => {
  const { person, application } = await seed();
  const browser = openBrowser(auth);
  const next = await ask(application);
  await signIn(browser, person);
  const changed = next.replace(/.(?=.{30}$)/, (one) => (one === 'A' ? 'B' : 'A'));
  for (const page of [changed, next.slice(0, -4), `${next}AAAA`, next.replace(/\.[\w-]+$/, '.A'), `${next}.x`])
    expect([page, (await browser.get(page)).status]).toEqual([page, 400]);
  expect(locationOf(await browser.get(next).expect(302))).toMatch(/^\/oauth\/consents\//);
});

test('a request that needs a new sign-in is not prolonged by its consent page, so that only a sign-in of the last hour answers it', async () => {
  const { person, application } = await seed();
  const browser = openBrowser(auth);
  const next = await ask(application, { max_age: '0' }, browser);
  await signIn(browser, person, next);
  auth.clock.offset = 50 * 60_000;
  const page = await browser.get(locationOf(await browser.get(next).expect(302))).expect(200);
  const [, again = ''] = /name="next" value="([^"]+)"/.exec(page.text) ?? [];
  expect(locationOf(await browser.get(again).expect(302))).toMatch(/^\/oauth\/consents\//);
  auth.clock.offset = 60 * 60_000;
  expect((await browser.get(again)).status).toBe(400);
  auth.clock.offset = 0;
});

/** Each of the maximum length of a state, a scope, or the whole request URL. */
const random = randomBytes(8_192).toString('base64url');
const longest: Record<string, Record<string, string>> = {
  'that repeats itself': { state: 'a'.repeat(4096) },
  'of slashes': { state: '/'.repeat(4096) },
  'of three bytes each': { state: '€'.repeat(1365) },
  'of control characters': {
    state: [...random.slice(0, 4096)].map((one) => String.fromCharCode(one.charCodeAt(0) % 32)).join(''),
  },
  'that nothing makes shorter': { state: random.slice(0, 4096) },
  'beside a scope and an address that are long': {
    state: random.slice(0, 4096),
    scope: `me:Name ${random.slice(-4088)}`,
    redirect_uri: `${callback}?${random.slice(2_000, 2_960)}`,
  },
};

async function seedFor({ redirect_uri: redirectUri = callback }: Record<string, string>) {
  const person = await seedPerson(auth);
  return { person, application: await seedApplication(auth, person.accountId, { redirectUris: [redirectUri] }) };
}

/** The same with a provider whose answers the test controls. */
async function seedAtProvider(more: Record<string, string>) {
  const { person, application } = await seedFor(more);
  const key = await makeKey();
  const local = await startLocalProvider([key]);
  local.answers.discovery = json({ ...local.metadata, ...endpointsOf(local.issuer) });
  const how = { name: 'P', issuer: local.issuer, identifier: 'primary_email' } as const;
  await auth.app.services.ssoConfigurations.create(person.accountId, { ...how, clientId });
  const browser = openBrowser(auth);

  async function begin(next: string) {
    const page = await browser.get('/oauth/sign-in').query({ next }).expect(200);
    const [, link = ''] = /href="([^"]+\/oauth\/sign-in\/provider\/[^"]+)"/.exec(page.text) ?? [];
    return browser.get(link.replaceAll('&amp;', '&')).expect(303);
  }

  async function goBack(begun: Response, { email }: SeededPerson) {
    return browser.get(await answerOf(auth, local, key, locationOf(begun), { claims: { email } })).expect(303);
  }
  return { local, person, application, browser, begin, goBack };
}

describe.each(Object.entries(longest))('a long state %s', (_which, more) => {
  test('comes back unchanged through sign-in, sign-out and the question', async () => {
    const { person, application } = await seedFor(more);
    const browser = openBrowser(auth);
    const next = await ask(application, more, browser);
    expect(next).toMatch(/^\/oauth\/authorize\/[\w.-]+$/);
    expect(next.length).toBeLessThan(13_000);
    expect(locationOf(await signIn(browser, person, next))).toBe(next);
    const page = await browser.get(locationOf(await browser.get(next).expect(302))).expect(200);
    const [, again = ''] = /name="next" value="([^"]+)"/.exec(page.text) ?? [];
    await browser
      .post('/oauth/sign-out')
      .type('form')
      .send({ form_token: formTokenIn(page), next: again })
      .expect(303);
    await signIn(browser, person, again);
    expect(await allow(browser, again)).toMatchObject({ state: more['state'] });
  });

  test('comes back unchanged through the provider of the account', async () => {
    const { local, person, application, browser, begin, goBack } = await seedAtProvider(more);
    const next = await ask(application, more, browser);
    const begun = await begin(next);
    // Of any length that a request has; any page elsewhere can cause this cookie.
    const set = (begun.get('Set-Cookie') ?? []).map((cookie) => cookie.split(';', 1)[0] ?? '');
    expect(set).toEqual([expect.stringMatching(/^provider-sign-in=.{1,1280}$/)]);
    expect(new URL(locationOf(begun)).searchParams.get('state')).toMatch(/^[\w-]{43}(\.[\w.-]+)?$/);
    expect(locationOf(await goBack(begun, person))).toBe(next);
    expect(await allow(browser, next)).toMatchObject({ state: more['state'] });
    await local.close();
  });
});

test('after a long request, a short one at the provider continues with the short one', async () => {
  const { local, person, application, browser, begin, goBack } = await seedAtProvider({});
  await begin(await ask(application, { state: random.slice(0, 4096) }, browser));
  const next = await ask(application, { state: 'short' }, browser);
  expect(locationOf(await goBack(await begin(next), person))).toBe(next);
  expect(await allow(browser, next)).toMatchObject({ state: 'short' });
  await local.close();
});

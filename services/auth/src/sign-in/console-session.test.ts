import { accountRevision } from '@itsm/shared/stores/coordination/coordination';
import { createMemoryCoordination } from '@itsm/shared/stores/coordination/memory-coordination';
import { systemClock } from '@itsm/shared/base/time/clock';
import { answerIn, formTokenIn, openBrowser, openSignedIn } from '../testing/browser';
import type { Browser } from '../testing/browser';
import { bodyIn, introspect } from '../testing/client';
import { askForConsole, consoleSettings, consoleTokenOf, redeemForConsole } from '../testing/console';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { seedPerson, startStore } from '../testing/start-auth';

const memory = createMemoryCoordination({ now: systemClock });
const link = { isDown: false };
const coordination = {
  ...memory,
  bump: (revisions: readonly string[]) =>
    link.isDown ? Promise.reject(new Error('out of reach')) : memory.bump(revisions),
};

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start({ settings: consoleSettings, coordination });
});
afterAll(() => store.close());
afterEach(() => {
  auth.clock.offset = 0;
  link.isDown = false;
});

const minutes = 60_000;
const hours = 60 * minutes;

async function seed() {
  const person = await seedPerson(auth);
  const browser = await openSignedIn(auth, person);
  return { person, browser, token: await consoleTokenOf(auth, browser) };
}
type Seeded = Awaited<ReturnType<typeof seed>>;

const isActive = async (token: string): Promise<boolean> => (await introspect(auth, token)).active;
const revisionOf = async ({ accountId }: SeededPerson) =>
  (await memory.take([], [accountRevision(accountId)])).revisions[0];

async function post(browser: Browser, address: string, fields: object = {}) {
  const form_token = formTokenIn(await browser.get('/oauth/profile'));
  return browser
    .post(address)
    .type('form')
    .send({ form_token, ...fields });
}

/** The digest of the first listed session other than the present one. */
const otherSession = async (browser: Browser): Promise<string> =>
  /action="(\/oauth\/profile\/sessions\/[\w-]{43}\/end)"/.exec((await browser.get('/oauth/profile')).text)?.[1] ?? '';

const ends: readonly (readonly [string, (seeded: Seeded) => Promise<unknown>])[] = [
  ['signing out', ({ browser }) => post(browser, '/oauth/sign-out')],
  ['signing out everywhere', ({ browser }) => post(browser, '/oauth/profile/sessions/end-all')],
  [
    'signing out everywhere in another browser',
    async ({ person }) => post(await openSignedIn(auth, person), '/oauth/profile/sessions/end-all'),
  ],
  [
    'ending that session in another browser',
    async ({ person }) => {
      const other = await openSignedIn(auth, person);
      return post(other, await otherSession(other));
    },
  ],
  [
    'an administrator who signs the person out',
    async ({ person }) => {
      const administrator = await openSignedIn(auth, await seedPerson(auth, { accountId: person.accountId }));
      return post(administrator, `/oauth/administration/people/${person.id}/end-sessions`);
    },
  ],
  [
    'a new password',
    ({ person, browser }) => {
      const password = 'another long enough one';
      return post(browser, '/oauth/profile/password', { current: person.password, password, again: password });
    },
  ],
  [
    'a password that the operator sets, also the same one',
    ({ person }) => auth.app.operator.setPassword(person.accountId, person.email, person.password),
  ],
  [
    'signing in again in the same browser',
    async ({ person, browser }) => {
      const page = await browser.get('/oauth/authorize').query({});
      expect(page.status).toBe(400);
      const form_token = formTokenIn(await browser.get('/oauth/profile'));
      const form = { form_token, email: person.email, password: person.password };
      return browser.post('/oauth/sign-in').type('form').send(form).expect(303);
    },
  ],
];

test.each(ends)('%s ends the tokens of the session at once, also at the gateways', async (_what, end) => {
  const seeded = await seed();
  expect(await isActive(seeded.token)).toBe(true);
  const before = await revisionOf(seeded.person);
  await end(seeded);
  expect(await introspect(auth, seeded.token)).toEqual({ active: false });
  expect(await revisionOf(seeded.person)).not.toEqual(before);
});

test('the end of one session does not affect the tokens of another', async () => {
  const { person, browser, token } = await seed();
  const other = await openSignedIn(auth, person);
  const otherToken = await consoleTokenOf(auth, other);
  await post(browser, '/oauth/sign-out');
  expect([await isActive(token), await isActive(otherToken)]).toEqual([false, true]);
});

test('an end that cannot be announced to the gateways is not reported as done', async () => {
  const { browser, token } = await seed();
  link.isDown = true;
  const answer = await post(browser, '/oauth/sign-out');
  expect([answer.status, answer.text]).toEqual([
    503,
    expect.stringContaining('not yet effective everywhere') as string,
  ]);
  expect(await isActive(token)).toBe(false);
});

test('a step-up gives the session a new id, and its tokens stay valid until its end', async () => {
  const { person, browser, token } = await seed();
  await openSignedIn(auth, person);
  auth.clock.offset = 45 * minutes;
  const shown = { confirm_again: 'yes', confirm_password: person.password };
  const answer = await post(browser, await otherSession(browser), shown);
  expect(answer.headers).toMatchObject({ location: '/oauth/profile?revoked=session' });
  expect(answer.headers['set-cookie']).toBeDefined();
  expect(await isActive(token)).toBe(true);
  expect(await isActive(await consoleTokenOf(auth, browser))).toBe(true);
  await post(browser, '/oauth/sign-out');
  expect(await isActive(token)).toBe(false);
});

test('a code of a session that has ended gives no token', async () => {
  const { browser } = await seed();
  const { code = '' } = answerIn(await askForConsole(browser));
  await post(browser, '/oauth/sign-out');
  expect(bodyIn(await redeemForConsole(auth, code).expect(400))).toMatchObject({ error: 'invalid_grant' });
});

test('no token outlives its session', async () => {
  const { browser } = await seed();
  // Used every seven hours, so that the session does not expire as idle.
  for (const at of Array.from({ length: 23 }, (_, index) => (index + 1) * 7 * hours)) {
    auth.clock.offset = at;
    await browser.get('/oauth/session').expect(200);
  }
  auth.clock.offset = 167.5 * hours;
  const { code = '' } = answerIn(await askForConsole(browser, { prompt: 'none' }));
  const { body } = await redeemForConsole(auth, code).expect(200);
  const { access_token, expires_in } = body as { access_token: string; expires_in: number };
  expect(expires_in).toBe(1800);
  const { claims } = await introspect(auth, access_token);
  expect(claims['exp']).toBe(Math.floor(auth.now().getTime() / 1000) + 60);
  const { code: late = '' } = answerIn(await askForConsole(browser, { prompt: 'none' }));
  auth.clock.offset = 168 * hours;
  expect(await isActive(access_token)).toBe(false);
  await redeemForConsole(auth, late).expect(400);
  expect(answerIn(await askForConsole(browser, { prompt: 'none' }))['error']).toBe('login_required');
});

describe('GET /oauth/session', () => {
  test("returns the signed-in person, the session's expiry, and the form token to sign out", async () => {
    const { person, browser, token } = await seed();
    const answer = await browser.get('/oauth/session').set('Sec-Fetch-Site', 'same-origin').expect(200);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'cross-origin-resource-policy': 'same-origin',
    });
    const { form_token, ...body } = answer.body as { form_token: string };
    expect(body).toEqual({
      person: { id: person.id, name: 'Ellen Brown' },
      expires_at: new Date(auth.now().getTime() + 7 * 24 * hours).toISOString(),
    });
    await browser.post('/oauth/sign-out').type('form').send({ form_token }).expect(303);
    expect(await isActive(token)).toBe(false);
    await browser.get('/oauth/session').expect(401);
  });

  test.each(['cross-site', 'same-site', 'none', ''])('refuses Sec-Fetch-Site: %s', async (site) => {
    const { browser } = await seed();
    const answer = await browser.get('/oauth/session').set('Sec-Fetch-Site', site).expect(403);
    expect(answer.body).toEqual({ message: 'Forbidden' });
  });

  test('is 401 without a signed-in person, and allows no other method', async () => {
    const browser = openBrowser(auth);
    expect((await browser.get('/oauth/session').expect(401)).body).toEqual({ message: 'Unauthorized' });
    await browser.get('/oauth/sign-in');
    await browser.get('/oauth/session').expect(401);
    await browser.post('/oauth/session').expect(405);
  });

  test('answers a person who must still add a second factor, who may sign out', async () => {
    const { person, browser } = await seed();
    await auth.connection
      .collection<{ _id: string }>('accounts')
      .updateOne({ _id: person.accountId }, { $set: { secondFactorRequired: true } });
    await browser.get('/oauth/session').expect(200);
    expect(answerIn(await askForConsole(browser, { prompt: 'none' }))['error']).toBe('interaction_required');
  });
});

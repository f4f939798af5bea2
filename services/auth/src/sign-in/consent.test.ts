import {
  answerIn,
  authorizeQuery,
  decide,
  formTokenIn,
  locationOf,
  obtainCode,
  openBrowser,
  openSignedIn,
} from '../testing/browser';
import type { Browser } from '../testing/browser';
import type { Auth, SeededApplication } from '../testing/start-auth';
import { baseUrl, callback, everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

async function seed() {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId, {
    name: 'Report <b>Builder</b>',
    scopes: [
      { effect: 'allow', actions: ['request:Read', 'request:Create', 'person:Read'] },
      { effect: 'deny', actions: ['webhook:*'] },
    ],
  });
  return { person, application, browser: await openSignedIn(auth, person) };
}

/** The URL of the consent page for a new authorization request. */
const ask = async (browser: Browser, application: SeededApplication) =>
  locationOf(await browser.get('/oauth/authorize').query(authorizeQuery(application, { state: 's' })));

test('the page shows who wants what for whom, escaped', async () => {
  const { person, application, browser } = await seed();
  const { text } = await browser.get(await ask(browser, application)).expect(200);
  expect(text).toContain('Report &lt;b&gt;Builder&lt;/b&gt;');
  expect(text).toContain(`Account ${person.accountId}`);
  expect(text).toContain(person.email);
  expect(text).toContain('See and create requests');
  expect(text).toContain('See people');
  expect(text).toContain('Never: See, create, change and delete webhooks');
  expect(text).toContain('https://client.example');
});

test('the page is not framed or cached, runs no script, and its form may lead to any redirect of the application', async () => {
  const { application, browser } = await seed();
  const { headers } = await browser.get(await ask(browser, application));
  const policy = (headers as Record<string, string>)['content-security-policy'];
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('form-action');
  const { headers: profile } = await browser.get('/oauth/profile');
  expect((profile as Record<string, string>)['content-security-policy']).toMatch(/form-action 'self'$/);
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
});

test('deny sends the person back with access_denied', async () => {
  const { application, browser } = await seed();
  const answer = await decide(browser, authorizeQuery(application, { state: 's' }), 'deny');
  expect(answer.status).toBe(302);
  expect(answerIn(answer)).toMatchObject({
    error: 'access_denied',
    state: 's',
    error_description: expect.any(String) as string,
  });
  expect(locationOf(await browser.get('/oauth/authorize').query(authorizeQuery(application)))).toMatch(/consents/);
});

test('an answer is accepted once', async () => {
  const { application, browser } = await seed();
  const address = await ask(browser, application);
  const form = { form_token: formTokenIn(await browser.get(address)), decision: 'allow' };
  const answers = await Promise.all([1, 2, 3].map(() => browser.post(address).type('form').send(form)));
  expect(answers.map(({ status }) => status).sort()).toEqual([302, 404, 404]);
  await browser.post(address).type('form').send(form).expect(404);
});

test.each([{}, { form_token: '' }, { form_token: 'x'.repeat(43) }, { form_token: ['a', 'b'] }])(
  'a form with the token %j is refused',
  async (fields) => {
    const { application, browser } = await seed();
    const address = await ask(browser, application);
    await browser
      .post(address)
      .type('form')
      .send({ decision: 'allow', ...fields })
      .expect(403);
  },
);

test('a form with the token of another session of the same person is refused', async () => {
  const { person, application, browser } = await seed();
  const address = await ask(browser, application);
  const other = await openSignedIn(auth, person);
  const form_token = formTokenIn(await other.get('/oauth/profile'));
  await browser.post(address).type('form').send({ form_token, decision: 'allow' }).expect(403);
  await other.post(address).type('form').send({ form_token, decision: 'allow' }).expect(404);
});

test('a form that another site sends is refused', async () => {
  const { application, browser } = await seed();
  const address = await ask(browser, application);
  const form = { form_token: formTokenIn(await browser.get(address)), decision: 'allow' };
  await browser.post(address).set('Sec-Fetch-Site', 'cross-site').type('form').send(form).expect(403);
});

test('another person can neither see nor answer the question', async () => {
  const { person, application, browser } = await seed();
  const address = await ask(browser, application);
  const colleague = await openSignedIn(auth, await seedPerson(auth, { accountId: person.accountId }));
  await colleague.get(address).expect(404);
  const form_token = formTokenIn(await colleague.get('/oauth/profile'));
  await colleague.post(address).type('form').send({ form_token, decision: 'allow' }).expect(404);
});

test('without a session people are sent to the sign-in page', async () => {
  const { application, browser } = await seed();
  const response = await openBrowser(auth)
    .get(await ask(browser, application))
    .expect(303);
  expect(locationOf(response)).toMatch(/^\/oauth\/sign-in/);
});

test('a question is open for ten minutes', async () => {
  const later = await store.start();
  const person = await seedPerson(later);
  const application = await seedApplication(later, person.accountId);
  const browser = await openSignedIn(later, person);
  const address = await ask(browser, application);
  later.clock.offset = 10 * 60_000;
  await browser.get(address).expect(404);
  later.clock.offset = 0;
});

test('an application whose scopes changed during the question is not allowed, and gets an error that says so', async () => {
  const { person, application, browser } = await seed();
  const address = await ask(browser, application);
  const form = { form_token: formTokenIn(await browser.get(address)), decision: 'allow' };
  await auth.app.services.applications.update(person.accountId, everything, application.id, { scopes: everything });
  await browser.get(address).expect(400);
  expect(answerIn(await browser.post(address).type('form').send(form).expect(302))).toEqual({
    error: 'invalid_request',
    error_description: 'The application has changed in the meantime. Please start again there.',
    state: 's',
    iss: baseUrl,
  });
});

test('an application whose redirect URI was removed during the question gets no answer, and the question stays', async () => {
  const { person, application, browser } = await seed();
  const address = await ask(browser, application);
  const form = { form_token: formTokenIn(await browser.get(address)), decision: 'allow' };
  const settle = (redirectUris: string[]) =>
    auth.app.services.applications.update(person.accountId, everything, application.id, { redirectUris });
  await settle(['https://client.example/other']);
  await browser.post(address).type('form').send(form).expect(400);
  await settle([callback]);
  expect(answerIn(await browser.post(address).type('form').send(form).expect(302))).toHaveProperty('code');
});

test('a fault after the answer goes to the application, and is logged', async () => {
  const own = await store.start();
  const person = await seedPerson(own);
  const application = await seedApplication(own, person.accountId);
  await obtainCode(await openSignedIn(own, person), application);
  // Makes the store refuse a second token family of the application.
  await own.connection.collection('token_families').createIndex({ 'grant.applicationId': 1 }, { unique: true });
  const colleague = await openSignedIn(own, await seedPerson(own, { accountId: person.accountId }));
  const answer = await decide(colleague, authorizeQuery(application, { state: 's' }), 'allow');
  expect(locationOf(answer).startsWith(`${callback}?`)).toBe(true);
  expect(answerIn(answer)).toEqual({
    error: 'server_error',
    error_description: 'Something went wrong here',
    state: 's',
    iss: baseUrl,
  });
  expect(own.log.filter((line) => line.includes('authorization request failed'))).toHaveLength(1);
});

test('any other answer than allow or deny is refused', async () => {
  const { application, browser } = await seed();
  const address = await ask(browser, application);
  const form_token = formTokenIn(await browser.get(address));
  await browser.post(address).type('form').send({ form_token, decision: 'maybe' }).expect(400);
});

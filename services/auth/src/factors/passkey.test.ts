import { createAuthenticator } from '../testing/authenticator';
import { authorizeQuery, formTokenIn, locationOf, openBrowser, openSignedIn, signIn } from '../testing/browser';
import type { Browser } from '../testing/browser';
import { addPasskey, factorsPage, passkeyOptionsIn, postFrom } from '../testing/factors';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { seedApplication, seedPerson, startStore } from '../testing/start-auth';
import { relyingPartyOf } from './relying-party';

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

const secondStep = '/oauth/sign-in/second-step';

async function seed(options: Parameters<typeof createAuthenticator>[0] = {}) {
  const person = await seedPerson(auth);
  const browser = await openSignedIn(auth, person);
  const authenticator = createAuthenticator(options);
  return { person, browser, authenticator, ...(await addPasskey(browser, authenticator, 'Laptop')) };
}

/** Opens the sign-in page; returns its passkey options and a function to answer them. */
async function openSignIn(next = '') {
  const browser = openBrowser(auth);
  const page = await browser.get('/oauth/sign-in').query({ next });
  const form_token = formTokenIn(page);
  const send = (passkey: string) =>
    browser.post('/oauth/sign-in/passkey').type('form').send({ form_token, passkey, next });
  return { browser, options: passkeyOptionsIn(page), send };
}

async function openSecondStep(person: SeededPerson) {
  const browser = openBrowser(auth);
  await signIn(browser, person);
  const page = await browser.get(secondStep);
  const form_token = formTokenIn(page);
  const send = (passkey: string) => browser.post(secondStep).type('form').send({ form_token, passkey });
  return { browser, options: passkeyOptionsIn(page), send };
}

const isSignedIn = async (browser: Browser) => (await browser.get('/oauth/profile')).status === 200;

test('a passkey alone signs in, and the waiting authorization request continues', async () => {
  const { person, authenticator, added } = await seed();
  expect(added.text).toContain('<h3>Laptop</h3>');
  const application = await seedApplication(auth, person.accountId);
  const asked = await openBrowser(auth).get('/oauth/authorize').query(authorizeQuery(application));
  const next = new URL(locationOf(asked), 'http://x').searchParams.get('next') ?? '';
  const { browser, options, send } = await openSignIn(next);
  expect(JSON.parse(options)).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
  expect(locationOf(await send(authenticator.get(options)))).toBe(next);
  expect(locationOf(await browser.get(next))).toMatch(/^\/oauth\/consents\//);
  expect((await browser.get(factorsPage)).text).toMatch(/<h3>Laptop<\/h3>\s*<p[^>]*>Added [^·]+· last used/);
});

test('an answer is accepted once, in its own browser, for its own purpose, for ten minutes', async () => {
  const { person, authenticator } = await seed({ counts: false });
  const { options, send } = await openSignIn();
  const answer = authenticator.get(options);
  const other = await openSignIn();
  expect((await other.send(answer)).status).toBe(401);
  const step = await openSecondStep(person);
  expect((await step.send(answer)).status).toBe(401);
  expect((await other.send(authenticator.get(step.options))).status).toBe(401);
  const answers = await Promise.all([send(answer), send(answer)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 401]);
  const late = await openSignIn();
  auth.clock.offset = 10 * 60_000;
  expect((await late.send(authenticator.get(late.options))).status).toBe(401);
});

test('a passkey without user verification is only a second factor', async () => {
  const { person, authenticator } = await seed({ userVerified: false });
  const whole = await openSignIn();
  expect((await whole.send(authenticator.get(whole.options))).status).toBe(401);
  const step = await openSecondStep(person);
  expect((await step.send(authenticator.get(step.options))).status).toBe(303);
  expect(await isSignedIn(step.browser)).toBe(true);
});

test("another person's passkey is no second factor, in any account", async () => {
  const { person } = await seed();
  for (const accountId of [person.accountId, undefined]) {
    const stranger = await seedPerson(auth, accountId === undefined ? {} : { accountId });
    const authenticator = createAuthenticator();
    await addPasskey(await openSignedIn(auth, stranger), authenticator);
    const step = await openSecondStep(person);
    expect((await step.send(authenticator.get(step.options))).status).toBe(401);
    expect(await isSignedIn(step.browser)).toBe(false);
  }
});

test('another origin, a cloned counter, a changed signature, another holder and malformed answers are refused', async () => {
  const { authenticator } = await seed();
  const elsewhere = await seed({ origin: 'http://localhost.evil.example' });
  expect(elsewhere.added.status).toBe(422);
  const refused = async (answerTo: (options: string) => string) => {
    const { send, options } = await openSignIn();
    expect((await send(answerTo(options))).status).toBe(401);
  };
  await refused((options) => {
    authenticator.state.counter = 0;
    const answer = authenticator.get(options);
    authenticator.state.counter = 9;
    return answer;
  });
  await refused((options) => {
    authenticator.state.origin = 'http://localhost.evil.example';
    const answer = authenticator.get(options);
    authenticator.state.origin = 'http://localhost:4000';
    return answer;
  });
  await refused((options) =>
    authenticator.get(JSON.stringify({ ...(JSON.parse(options) as object), rpId: 'evil.example' })),
  );
  await refused((options) => {
    const answer = JSON.parse(authenticator.get(options)) as { response: { signature: string } };
    const signature = Buffer.from(answer.response.signature, 'base64url');
    signature.writeUInt8(signature.readUInt8(20) ^ 1, 20);
    return JSON.stringify({ ...answer, response: { ...answer.response, signature: signature.toString('base64url') } });
  });
  await refused((options) => authenticator.get(options).replace(/"userHandle":"...../, '"userHandle":"AAAAA'));
  for (const nonsense of [
    '',
    '{}',
    'null',
    '[]',
    '{"id":{"$ne":1},"response":{}}',
    `{"id":"${authenticator.id}","response":{"clientDataJSON":7}}`,
  ])
    await refused(() => nonsense);
});

test('a disabled person, or one of a disabled account, does not sign in with a passkey', async () => {
  for (const account of [false, true]) {
    const { person, authenticator } = await seed();
    if (account) await auth.app.operator.setAccountDisabled(person.accountId, true);
    else await auth.app.services.persons.disable(person.accountId, person.id);
    const { options, send } = await openSignIn();
    expect((await send(authenticator.get(options))).status).toBe(401);
  }
});

test('passkeys have names, each is registered once, and a removed one is refused', async () => {
  const { person, browser, authenticator, passkey, recoveryCodes } = await seed();
  expect(recoveryCodes).toHaveLength(10);
  const phone = createAuthenticator();
  const second = await addPasskey(browser, phone, 'Phone');
  expect(second.recoveryCodes).toEqual([]);
  expect((await addPasskey(browser, authenticator, 'Again')).added.status).toBe(422);
  expect((await postFrom(browser, factorsPage, `${factorsPage}/passkeys`, { name: 'Replayed', passkey })).status).toBe(
    422,
  );
  const nameless = await postFrom(browser, factorsPage, `${factorsPage}/passkeys`, { name: ' ', passkey });
  expect(nameless.text).toContain('Give the passkey a name.');
  const remove = `${factorsPage}/passkeys/${authenticator.id}/remove`;
  await postFrom(
    await openSignedIn(auth, await seedPerson(auth, { accountId: person.accountId })),
    factorsPage,
    remove,
  );
  expect((await browser.get(factorsPage)).text).toContain('<h3>Laptop</h3>');
  await browser.post(remove).type('form').send({}).expect(403);
  await postFrom(browser, factorsPage, remove);
  const { text } = await browser.get(factorsPage);
  expect(text).not.toContain('<h3>Laptop</h3>');
  expect(text).toContain('<h3>Phone</h3>');
  const { options, send } = await openSignIn();
  expect((await send(authenticator.get(options))).status).toBe(401);
});

test('the pages with passkeys run only one script, of their own origin', async () => {
  const { text, headers } = await openBrowser(auth).get('/oauth/sign-in');
  expect((headers as Record<string, string>)['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'self'; .*script-src 'self'/,
  );
  const [script = '', ...others] = [...text.matchAll(/<script src="([^"]+)" defer><\/script>/g)].map(
    ([, path]) => path,
  );
  expect(others).toEqual([]);
  const served = await auth.http
    .get(script)
    .expect(200)
    .expect('Content-Type', /javascript/);
  expect(served.headers).toHaveProperty('cache-control', 'public, max-age=31536000, immutable');
  const { headers: profile } = await (await openSignedIn(auth, await seedPerson(auth))).get('/oauth/profile');
  expect((profile as Record<string, string>)['content-security-policy']).not.toContain('script-src');
});

test.each([
  ['http://localhost:4000', 'localhost', ['http://localhost:4000', 'http://oauth.localhost:4000']],
  ['https://itsm.example.com', 'itsm.example.com', ['https://itsm.example.com', 'https://oauth.itsm.example.com']],
  ['https://api.example.com', 'example.com', ['https://api.example.com', 'https://oauth.example.com']],
  ['https://oauth.example.com', 'example.com', ['https://oauth.example.com', 'https://oauth.example.com']],
])('passkeys of %s are for %s', (baseUrl, id, origins) => {
  expect(relyingPartyOf(baseUrl)).toEqual({ id, origins });
});

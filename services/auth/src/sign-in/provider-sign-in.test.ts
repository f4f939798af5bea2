import { formTokenIn, authorizeQuery, locationOf, openBrowser, openSignedIn } from '../testing/browser';
import type { Browser } from '../testing/browser';
import { addAuthenticatorApp, codeNow, postFrom } from '../testing/factors';
import { json, makeKey, startLocalProvider } from '../testing/local-provider';
import { signInAt } from '../testing/oidc-provider';
import { answerOf, clientId, clientSecret, endpointsOf, withProvider } from '../testing/provider-scene';
import type { Provider, Said } from '../testing/provider-scene';
import type { Auth } from '../testing/start-auth';
import { seedApplication, seedPerson } from '../testing/start-auth';

let auth: Auth;
let provider: Provider;
const { seed, start, written } = withProvider((started) => ({ auth, provider } = started));

test('a person signs in at the provider of the account and comes back to where they wanted to go', async () => {
  const { person, accountId } = await seed();
  const application = await seedApplication(auth, accountId);
  const browser = openBrowser(auth);
  const asked = locationOf(await browser.get('/oauth/authorize').query(authorizeQuery(application)));
  const next = new URL(asked, 'http://x').searchParams.get('next') ?? '';
  // The page shows the providers of the application's account, below the password; first those of an account that was named.
  expect((await browser.get(asked)).text).toMatch(/name="password"[^]*Sign in with Our &lt;provider&gt;/);
  const named = await browser.get('/oauth/sign-in').query({ account: accountId });
  expect(named.text).toMatch(/Sign in with Our &lt;provider&gt;[^]*or with your password[^]*name="password"/);
  expect((await browser.get('/oauth/sign-in')).text).not.toContain('or with your password');
  const request = await start(browser, accountId, next);
  const query = Object.fromEntries(new URL(request).searchParams);
  expect(query).toMatchObject({ client_id: clientId, response_type: 'code', scope: 'openid email' });
  expect(query).toMatchObject({
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
  });
  for (const name of ['state', 'nonce']) expect(query[name]).toMatch(/^[\w-]{43}/);
  const back = await browser.get(await signInAt(provider.issuer, request, person.email));
  expect([back.status, locationOf(back)]).toEqual([303, next]);
  expect(locationOf(await browser.get(next))).toMatch(/^\/oauth\/consents\//);
  expect((await browser.get('/oauth/profile').expect(200)).text).toContain(person.email);
  expect(await written(accountId)).toMatchObject([
    { event: 'sign_in.succeeded', person: { id: person.id }, facts: { with: 'Our <provider>' } },
  ]);
});

test('a person with a second factor must use it after the provider too', async () => {
  const { person, accountId } = await seed();
  const first = openBrowser(auth);
  await first.get(await signInAt(provider.issuer, await start(first, accountId), person.email)).expect(303);
  const { secret } = await addAuthenticatorApp(auth, first);
  const browser = openBrowser(auth);
  const answer = await signInAt(provider.issuer, await start(browser, accountId), person.email);
  const back = await browser.get(answer).expect(303);
  expect(locationOf(back)).toBe('/oauth/sign-in/second-step');
  expect(locationOf(await browser.get('/oauth/profile').expect(303))).toContain('/oauth/sign-in');
  expect((await browser.get('/oauth/sign-in/second-step')).text).toContain(
    'You have signed in with Our &lt;provider&gt;.',
  );
  const address = '/oauth/sign-in/second-step';
  const code = codeNow(auth, secret, 1);
  expect(locationOf(await postFrom(browser, address, address, { code }))).toBe('/oauth/profile');
  await browser.get('/oauth/profile').expect(200);
  expect((await written(accountId))[0]).toMatchObject({ facts: { with: 'Our <provider> and code' } });
});

test('a session that began at the provider ends after twelve hours, with a second factor too; another one after a week', async () => {
  const { person, accountId } = await seed();
  const hoursOf = async (browser: Browser) => {
    const { expires_at: end } = (await browser.get('/oauth/session').expect(200)).body as { expires_at: string };
    return (new Date(end).getTime() - auth.now().getTime()) / 3_600_000;
  };
  const signInThere = async () => {
    const browser = openBrowser(auth);
    await browser.get(await signInAt(provider.issuer, await start(browser, accountId), person.email)).expect(303);
    return browser;
  };
  const first = await signInThere();
  expect(await hoursOf(first)).toBe(12);
  expect(await hoursOf(await openSignedIn(auth, person))).toBe(7 * 24);
  const { secret } = await addAuthenticatorApp(auth, first);
  const second = await signInThere();
  const address = '/oauth/sign-in/second-step';
  await postFrom(second, address, address, { code: codeNow(auth, secret, 1) });
  expect(await hoursOf(second)).toBe(12);
  auth.clock.offset = 6 * 3_600_000;
  await first.get('/oauth/profile').expect(200);
  auth.clock.offset = 12 * 3_600_000;
  await first.get('/oauth/profile').expect(303);
});

test('an answer is accepted once, in the browser that started, with its state, for ten minutes', async () => {
  const { person, accountId } = await seed();
  const browser = openBrowser(auth);
  const answer = await signInAt(provider.issuer, await start(browser, accountId), person.email);
  const other = openBrowser(auth);
  await start(other, accountId);
  expect((await other.get(answer).expect(400)).text).toContain('another browser');
  await openBrowser(auth).get(answer).expect(400);
  await browser.get(answer.replace(/state=[\w-]+/, 'state=x')).expect(400);
  await browser.get(answer.replace(/state=[\w-]+/, 'state=x&state=y')).expect(400);
  auth.clock.offset = 600_000;
  await browser.get(answer).expect(400);
  auth.clock.offset = 0;
  await browser.get(answer).expect(303);
  await browser.get(answer).expect(400);
});

test.each([
  ['of somebody who is not in the account', 'nobody@nowhere.example', /matches no person/],
  ['of a disabled person', undefined, /disabled/],
])('a sign-in %s is refused, and the log of the account says why', async (_who, login, because) => {
  const { person, accountId } = await seed();
  if (login === undefined) await auth.app.services.persons.disable(accountId, person.id);
  const browser = openBrowser(auth);
  const answer = await signInAt(provider.issuer, await start(browser, accountId), login ?? person.email);
  const refused = await browser.get(answer).expect(400);
  expect(refused.text).toContain('security log');
  await browser.get('/oauth/profile').expect(303);
  const facts = { because: expect.stringMatching(because) as string, with: 'Our <provider>' };
  expect(await written(accountId)).toMatchObject([{ event: 'sign_in.failed', facts }]);
});

test('a person of another account is not signed in, though the provider and the address are the same', async () => {
  const [one, other] = [await seed(), await seed()];
  const browser = openBrowser(auth);
  const answer = await signInAt(provider.issuer, await start(browser, one.accountId), other.person.email);
  await browser.get(answer).expect(400);
  expect(await written(other.accountId)).toEqual([]);
});

test('forged responses of any number of sign-ins write one line of the log, and slow down their network', async () => {
  const { accountId, configuration } = await seed();
  const ip = '198.51.100.60';
  const path = `/oauth/sign-in/provider/${configuration.id}`;
  const invent = async (browser: Browser) => {
    const begun = await browser.get(`${path}?account=${accountId}`).expect(303);
    const state = new URL(locationOf(begun)).searchParams.get('state') ?? '';
    return browser
      .get(`${path}/callback`)
      .query({ state, error: 'access_denied', iss: provider.issuer })
      .set('X-Forwarded-For', ip);
  };
  const statuses: number[] = [];
  while (statuses.at(-1) !== 429 && statuses.length < 150) statuses.push((await invent(openBrowser(auth))).status);
  expect(statuses.filter((status) => status === 400).length).toBeGreaterThanOrEqual(100);
  expect(statuses.at(-1)).toBe(429);
  expect(await written(accountId)).toHaveLength(1);
  auth.clock.offset = 15 * 60_000;
  expect((await invent(openBrowser(auth))).status).toBe(400);
  expect(await written(accountId)).toHaveLength(2);
});

test('a configuration that is disabled, without a client id, or of another account cannot be used to sign in', async () => {
  const [disabled, without, other] = [await seed({ disabled: true }), await seed({ clientId: null }), await seed()];
  for (const { accountId, configuration } of [disabled, without]) {
    const page = await openBrowser(auth).get('/oauth/sign-in').query({ account: accountId });
    expect(page.text).not.toContain('/oauth/sign-in/provider/');
    const path = `/oauth/sign-in/provider/${configuration.id}?account=${accountId}`;
    await openBrowser(auth).get(path).expect(404);
  }
  for (const account of [disabled.accountId, 'nobody-there', '', '$ne']) {
    const path = `/oauth/sign-in/provider/${other.configuration.id}?account=${account}`;
    await openBrowser(auth).get(path).expect(404);
  }
  await openBrowser(auth).get('/oauth/sign-in/provider/x').expect(404);
  await openBrowser(auth).head(`/oauth/sign-in/provider/${other.configuration.id}`).expect(405);
});

test('people of the directory account sign in with its provider for a child account', async () => {
  const { person, accountId } = await seed();
  const { accountId: child } = await seedPerson(auth);
  await auth.app.operator.ensureAccount({ id: child, name: 'Child', directoryAccountId: accountId });
  const browser = openBrowser(auth);
  const answer = await signInAt(provider.issuer, await start(browser, child), person.email);
  await browser.get(answer).expect(303);
  expect((await browser.get('/oauth/profile').expect(200)).text).toContain(accountId);
});

describe('a provider that lies', () => {
  async function attempt(lie: Said) {
    const key = await makeKey();
    const local = await startLocalProvider([key]);
    try {
      const { person, accountId } = await seed({ issuer: local.issuer });
      local.answers.discovery = json({ ...local.metadata, ...endpointsOf(local.issuer) });
      const browser = openBrowser(auth);
      const request = await start(browser, accountId);
      const claims = { email: person.email, ...lie.claims };
      const { status } = await browser.get(await answerOf(auth, local, key, request, { ...lie, claims }));
      const [entry] = await written(accountId);
      return { status, because: (entry?.['facts'] as { because?: string } | undefined)?.because };
    } finally {
      await local.close();
    }
  }

  test('signs a person in with a valid answer', async () => {
    expect(await attempt({})).toEqual({ status: 303, because: undefined });
  });

  test.each<[string, Said, RegExp]>([
    ['with the nonce of another sign-in', { claims: { nonce: 'another' } }, /another sign-in/],
    ['without a nonce', { claims: { nonce: undefined } }, /another sign-in/],
    ['for another client', { claims: { aud: 'another' } }, /audience/],
    ['that was issued to another client', { claims: { aud: [clientId, 'b'], azp: 'b' } }, /another client/],
    ['of another issuer', { claims: { iss: 'https://another.example' } }, /issuer/],
    ['that has expired', { claims: { exp: 1 } }, /expired/],
    ['with an address that is not verified', { claims: { email_verified: undefined } }, /email_verified/],
    ['that is missing', { answer: { access_token: 'x' } }, /without an ID token/],
    ['in an answer of another provider', { iss: 'https://another.example' }, /another identity provider/],
  ])('is refused with an ID token %s', async (_what, lie, because) => {
    expect(await attempt(lie)).toEqual({ status: 400, because: expect.stringMatching(because) as string });
  });
});

interface StoredConfiguration {
  readonly _id: number;
  readonly sealedClientSecret?: unknown;
}

test("concurrent sign-ins share one discovery of the provider's endpoints, and a failure is cached for a while", async () => {
  const local = await startLocalProvider([await makeKey()]);
  const { accountId, configuration } = await seed({ issuer: local.issuer });
  const path = `/oauth/sign-in/provider/${configuration.id}?account=${accountId}`;
  const begin = async () => (await openBrowser(auth).get(path)).status;
  local.answers.discovery = (res) => void res.destroy();
  for (let time = 0; time < 3; time += 1) expect(await begin()).toBe(400);
  expect(local.calls.discovery).toBe(1);
  local.answers.discovery = json({ ...local.metadata, ...endpointsOf(local.issuer) });
  auth.clock.offset = 11_000;
  expect(new Set(await Promise.all([1, 2, 3, 4, 5].map(begin)))).toEqual(new Set([303]));
  expect(local.calls.discovery).toBe(2);
  auth.clock.offset = 2 * 3_600_000;
  expect(await begin()).toBe(303);
  expect(local.calls.discovery).toBe(3);
  await local.close();
});

test('the secret is stored sealed, never shown, and cleared when the issuer changes', async () => {
  const { accountId, configuration } = await seed();
  const stored = async () =>
    auth.connection.collection<StoredConfiguration>('sso_configurations').findOne({ _id: configuration.id });
  expect(JSON.stringify(await stored())).not.toContain(clientSecret);
  expect((await stored())?.sealedClientSecret).toEqual(expect.any(String));
  const { ssoConfigurations } = auth.app.services;
  await ssoConfigurations.update(accountId, configuration.id, { name: 'Renamed', issuer: provider.issuer });
  expect((await stored())?.sealedClientSecret).toEqual(expect.any(String));
  await ssoConfigurations.update(accountId, configuration.id, { issuer: 'https://evil.example' });
  expect((await stored())?.sealedClientSecret).toBeNull();
  await ssoConfigurations.update(accountId, configuration.id, { clientSecret });
  await ssoConfigurations.update(accountId, configuration.id, { clientSecret: null });
  expect((await stored())?.sealedClientSecret).toBeNull();
  expect(auth.log.join('')).not.toContain(clientSecret);
});

test("the administrators' page stores the secret, and keeps it when the field is left empty", async () => {
  const { person, configuration } = await seed();
  const browser = openBrowser(auth);
  const signInPage = await browser.get('/oauth/sign-in');
  const credentials = { email: person.email, password: person.password, form_token: formTokenIn(signInPage) };
  await browser.post('/oauth/sign-in').type('form').send(credentials);
  const address = `/oauth/administration/sso-configurations/${configuration.id}`;
  const page = await browser.get(address).expect(200);
  expect(page.text).toContain(`<code>http://localhost:4000/oauth/sign-in/provider/${configuration.id}/callback</code>`);
  expect(page.text).not.toContain(clientSecret);
  const fields = { name: 'X', issuer: provider.issuer, identifier: 'primary_email', clientId: 'c', clientSecret: '' };
  await browser
    .post(address)
    .type('form')
    .send({ form_token: formTokenIn(page), ...fields })
    .expect(303);
  const stored = await auth.connection
    .collection<StoredConfiguration>('sso_configurations')
    .findOne({ _id: configuration.id });
  expect(stored).toMatchObject({ clientId: 'c', sealedClientSecret: expect.any(String) as string });
});

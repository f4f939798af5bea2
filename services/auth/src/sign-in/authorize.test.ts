import {
  answerIn,
  authorizeQuery,
  challenge,
  decide,
  locationOf,
  obtainCode,
  openBrowser,
  openSignedIn,
} from '../testing/browser';
import type { Auth, SeededApplication } from '../testing/start-auth';
import { callback, everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

async function seed() {
  const person = await seedPerson(auth);
  return { person, application: await seedApplication(auth, person.accountId) };
}

const authorize = (application: SeededApplication, more: Record<string, string | undefined>) =>
  openBrowser(auth).get('/oauth/authorize').query(authorizeQuery(application, more));

async function expectPage(query: string) {
  const response = await openBrowser(auth).get(`/oauth/authorize?${query}`);
  expect(response.status).toBe(400);
  expect(response.headers).not.toHaveProperty('location');
  expect(response.text).toContain('cannot be completed');
  return response;
}

describe('an unknown client or address is shown on a page and never sent by a redirect', () => {
  test.each(['client_id=nobody', 'client_id=', '', 'client_id=a&client_id=b', 'client_id[$ne]=x', 'client_id[]=x'])(
    'client: %s',
    async (client) => {
      await expectPage(`${client}&response_type=code&redirect_uri=${encodeURIComponent(callback)}`);
    },
  );

  test.each([
    '/FAKE',
    '%2FFAKE',
    '/..%2FFAKE',
    '/%2e%2e%2FFAKE',
    '/;/../../FAKE',
    '/',
    '?code=stolen',
    '#fragment',
    '%00',
    ' ',
  ])('the registered address followed by %s', async (suffix) => {
    const { application } = await seed();
    const redirectUri = encodeURIComponent(callback + suffix);
    await expectPage(`client_id=${application.clientId}&response_type=code&redirect_uri=${redirectUri}`);
  });

  test.each([
    'https://client.example/Callback',
    'http://client.example/callback',
    'https://client.example:8443/callback',
    'https://user@client.example/callback',
    'https://client.example.evil.test/callback',
    'https://evil.test/',
    '//client.example/callback',
    'javascript:alert(1)',
    '',
  ])('another address: %s', async (redirectUri) => {
    const { application } = await seed();
    await expectPage(
      `client_id=${application.clientId}&response_type=code&redirect_uri=${encodeURIComponent(redirectUri)}`,
    );
  });

  test('a repeated or missing address', async () => {
    const { application } = await seed();
    const once = `redirect_uri=${encodeURIComponent(callback)}`;
    await expectPage(`client_id=${application.clientId}&response_type=code&${once}&${once}`);
    await expectPage(`client_id=${application.clientId}&response_type=code`);
    await expectPage(`client_id=${application.clientId}&response_type=code&redirect_uri[$ne]=x`);
  });

  test('a disabled application or client token', async () => {
    const { person, application } = await seed();
    const query = new URLSearchParams(authorizeQuery(application)).toString();
    const other = await seedApplication(auth, person.accountId, { name: 'Other' });
    await auth.app.services.clientTokens.update(
      person.accountId,
      everything,
      { clientId: application.clientId },
      { disabled: true },
    );
    await expectPage(query);
    await auth.app.services.applications.update(person.accountId, [], other.id, { disabled: true });
    await expectPage(new URLSearchParams(authorizeQuery(other)).toString());
  });

  test('parameters of the request are escaped', async () => {
    const { text } = await expectPage(`client_id=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(text).not.toContain('<script>');
  });
});

describe('other faults go to the application by redirect', () => {
  test.each<[Record<string, string | undefined>, string]>([
    [{ response_type: undefined }, 'response_type is missing'],
    [{ response_type: 'foo' }, 'response_type must be code'],
    [{ response_type: 'token' }, 'response_type must be code'],
    [{ response_type: 'code id_token' }, 'response_type must be code'],
    [{ code_challenge: 'a'.repeat(43) }, 'code_challenge_method must be S256'],
    [{ code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }, 'code_challenge_method must be S256'],
    [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'code_challenge is malformed'],
    [{ code_challenge_method: 'S256' }, 'code_challenge is missing'],
  ])('%j', async (more, description) => {
    const { application } = await seed();
    const response = await authorize(application, { state: 'xyz', ...more }).expect(302);
    expect(locationOf(response).startsWith(`${callback}?`)).toBe(true);
    expect(answerIn(response)).toEqual({
      error: 'invalid_request',
      error_description: description,
      state: 'xyz',
      iss: 'http://localhost:4000',
    });
  });

  test('a repeated parameter', async () => {
    const { application } = await seed();
    for (const name of ['response_type', 'state', 'code_challenge']) {
      const query = new URLSearchParams(authorizeQuery(application, { [name]: 'code' }));
      query.append(name, 'twice');
      const response = await openBrowser(auth).get(`/oauth/authorize?${query.toString()}`).expect(302);
      expect(answerIn(response)).toMatchObject({ error: 'invalid_request', error_description: `${name} is repeated` });
    }
  });

  test('an application without the authorization code grant', async () => {
    const { person } = await seed();
    const application = await seedApplication(auth, person.accountId, {
      name: 'No grant',
      grantTypes: ['refresh_token'],
    });
    expect(answerIn(await authorize(application, {}))).toMatchObject({ error: 'invalid_request' });
  });

  test('a person who does not belong to the account of the application', async () => {
    const { application } = await seed();
    const stranger = await openSignedIn(auth, await seedPerson(auth));
    const response = await stranger.get('/oauth/authorize').query(authorizeQuery(application)).expect(302);
    expect(answerIn(response)).toMatchObject({ error: 'access_denied' });
    expect(answerIn(response)).not.toHaveProperty('code');
  });

  test('the state is absent when it was not sent, and empty when it was empty', async () => {
    const { application } = await seed();
    expect(answerIn(await authorize(application, { response_type: 'x' }))).not.toHaveProperty('state');
    expect(answerIn(await authorize(application, { response_type: 'x', state: '' }))).toHaveProperty('state', '');
  });
});

test('an address that is not UTF-8 is a 400 with its place', async () => {
  for (const path of ['/oauth/sign-in?next=%FF', '/oauth/authorize?state=%C3', '/v1/people?name=%FF'])
    await auth.http.get(path).expect(400, { message: `The address is not UTF-8: byte ${path.indexOf('%')}` });
});

test.each(['plain', 'a b', '%20+/&=?#', 'ünïcödé ✓', '<script>', "it's"])(
  'the state %s comes back unchanged',
  async (state) => {
    const { person, application } = await seed();
    const browser = await openSignedIn(auth, person);
    const answer = await decide(browser, authorizeQuery(application, { state }), 'allow');
    expect(answerIn(answer)).toHaveProperty('state', state);
  },
);

test.each(['a'.repeat(4097), '€'.repeat(1366)])('a state of more than 4096 bytes is invalid', async (state) => {
  const { application } = await seed();
  expect(answerIn(await authorize(application, { state }).expect(302))).toMatchObject({
    error: 'invalid_request',
    error_description: 'state has more than 4096 bytes',
    state,
  });
});

test('unknown parameters are ignored', async () => {
  const { application } = await seed();
  const query = `${new URLSearchParams(authorizeQuery(application)).toString()}&scope[a]=b&state[]=x&foo=1&foo=2`;
  const response = await openBrowser(auth).get(`/oauth/authorize?${query.toString()}`).expect(302);
  expect(locationOf(response)).toMatch(/^\/oauth\/sign-in/);
});

test('a registered address keeps its own query', async () => {
  const { person } = await seed();
  const redirectUri = `${callback}?tenant=1`;
  const application = await seedApplication(auth, person.accountId, { name: 'Query', redirectUris: [redirectUri] });
  const browser = await openSignedIn(auth, person);
  const answer = await decide(browser, authorizeQuery(application, { redirect_uri: redirectUri }), 'allow');
  expect(locationOf(answer)).toMatch(/^https:\/\/client\.example\/callback\?tenant=1&code=itsm_ac_\w+&iss=/);
});

test('any port is accepted for a loopback address', async () => {
  const { person } = await seed();
  const redirectUris = ['http://127.0.0.1:8765/callback'];
  const application = await seedApplication(auth, person.accountId, { name: 'Native', redirectUris });
  const browser = await openSignedIn(auth, person);
  const code = await obtainCode(browser, application, {
    ...challenge,
    redirect_uri: 'http://127.0.0.1:50123/callback',
  });
  expect(code).toMatch(/^itsm_ac_/);
  for (const other of [
    'http://127.0.0.1:50123/other',
    'http://localhost:8765/callback',
    'http://127.0.0.1.evil.test/callback',
    'http://127.0.0.1:99999/callback',
  ]) {
    await authorize(application, { redirect_uri: other }).expect(400);
  }
});

test('when the scopes of the application change, consent is asked again', async () => {
  const { person, application } = await seed();
  const browser = await openSignedIn(auth, person);
  await obtainCode(browser, application);
  await auth.app.services.applications.update(person.accountId, everything, application.id, {
    scopes: [{ effect: 'allow', actions: ['request:Read'] }],
  });
  const again = await browser.get('/oauth/authorize').query(authorizeQuery(application)).expect(302);
  expect(locationOf(again)).toMatch(/^\/oauth\/consents\//);
});

test('only GET is answered: HEAD would use up a code that is never read', async () => {
  const { person, application } = await seed();
  const browser = await openSignedIn(auth, person);
  await obtainCode(browser, application);
  const families = auth.connection.collection('token_families');
  const before = await families.countDocuments();
  for (const method of ['post', 'head'] as const) {
    const response = await browser[method]('/oauth/authorize').query(authorizeQuery(application));
    expect(response.status).toBe(405);
    expect(response.headers).toHaveProperty('allow', 'GET');
  }
  expect(await families.countDocuments()).toBe(before);
});

test('without the store a browser gets a page with Retry-After, from every address of the pages', async () => {
  const own = await store.start();
  const person = await seedPerson(own);
  const application = await seedApplication(own, person.accountId);
  const browser = await openSignedIn(own, person);
  await own.connection.close();
  const query = new URLSearchParams(authorizeQuery(application)).toString();
  for (const path of [`/oauth/authorize?${query}`, '/oauth/profile', '/oauth/consents/1', '/oauth/administration']) {
    const { status, headers, text } = await browser.get(path).set('Accept', 'text/html');
    expect([path, status, headers]).toMatchObject([
      path,
      503,
      { 'retry-after': '5', 'content-type': 'text/html; charset=utf-8' },
    ]);
    expect(text).toContain('Something went wrong');
  }
});

import type { call } from '../testing/caller';
import {
  answerIn,
  authorizeQuery,
  decide,
  locationOf,
  obtainCode,
  openBrowser,
  openSignedIn,
  signIn,
} from '../testing/browser';
import { bodyIn, introspect, pairIn, redeem, refresh } from '../testing/client';
import type { Pair } from '../testing/client';
import type { Auth, SeededApplication } from '../testing/start-auth';
import { everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

const actions = ['me:All', 'request:*', 'person:Read'];

async function seed(more: object = {}) {
  const person = await seedPerson(auth);
  const scopes = [{ effect: 'allow' as const, actions }];
  const application = await seedApplication(auth, person.accountId, { scopes, ...more });
  return { person, application, browser: await openSignedIn(auth, person) };
}
type Answer = Pair & { readonly scope?: string };
const tokensFor = async (application: SeededApplication, code: string) =>
  bodyIn(await redeem(auth, application, code).expect(200)) as Answer;
/** The scopes that the consent page lists; around them are links to other pages. */
const listed = (page: string) => /<ul class="scopes">(.*?)<\/ul>/s.exec(page)?.[1] ?? '';
const scopesOf = async (token: string) => (await introspect(auth, token)).claims['scopes'];
const allowing = (...given: string[]) => [{ effect: 'allow', actions: given }];

test('a request without scope gets all scopes of the application, and the answer says so', async () => {
  const { application, browser } = await seed();
  const tokens = await tokensFor(application, await obtainCode(browser, application));
  expect(tokens.scope).toBe(actions.join(' '));
  expect(await scopesOf(tokens.access_token)).toEqual(allowing(...actions));
});

test('scope narrows the consent and the token; refreshed tokens keep it', async () => {
  const { person, application, browser } = await seed();
  const scope = 'request:Read me:Name';
  const asked = await browser.get('/oauth/authorize').query(authorizeQuery(application, { scope }));
  const { text } = await browser.get(locationOf(asked)).expect(200);
  expect(listed(text)).toContain('See your own name and details and requests');
  expect(listed(text)).not.toMatch(/people|create/i);

  const tokens = await tokensFor(application, await obtainCode(browser, application, { scope }));
  expect(tokens.scope?.split(' ').sort()).toEqual(['me:Name', 'request:Read']);
  const narrowed = [{ effect: 'allow', actions: expect.arrayContaining(['me:Name', 'request:Read']) as unknown }];
  expect(await scopesOf(tokens.access_token)).toEqual(narrowed);
  const next = pairIn(await refresh(auth, application, tokens.refresh_token).expect(200));
  expect(await scopesOf(next.access_token)).toEqual(narrowed);
  await refresh(auth, application, next.refresh_token, { scope: 'person:Read' }).expect(400);
  const again = bodyIn(await refresh(auth, application, next.refresh_token, { scope }).expect(200));
  expect((again as Answer).scope?.split(' ').sort()).toEqual(['me:Name', 'request:Read']);
  expect(await scopesOf((again as Answer).access_token)).toEqual(narrowed);

  const headers = {
    Authorization: `Bearer ${(await introspect(auth, next.access_token)).caller_token}`,
    'X-Service-Account': person.accountId,
  };
  const query = '{ me { name } people(first: 1) { totalCount } }';
  const { data, errors } = bodyIn(await auth.http.post('/graphql').set(headers).send({ query })) as Awaited<
    ReturnType<typeof call>
  >;
  expect(data).toMatchObject({ me: { name: 'Ellen Brown' }, people: null });
  expect(errors?.[0]?.message).toBe('Missing required scope(s): person:Read');
  const client = { client_id: application.clientId, client_secret: application.clientSecret };
  for (const token of [next.access_token, (again as Answer).refresh_token]) {
    const introspected = bodyIn(
      await auth.http
        .post('/oauth/introspect')
        .type('form')
        .send({ ...client, token }),
    );
    expect(introspected).toMatchObject({ active: true, scopes: narrowed });
  }
});

test.each([
  ['request:Read person:Delete', 'request:Read'],
  ['openid profile request:Create', 'request:Create'],
  ['request:* task:*', 'request:*'],
  ['*:Read', 'me:Read person:Read request:Read'],
  ['openid profile email', 'me:All person:Read request:*'],
])('of %p the application gets %p, and the answer says so', async (scope, granted) => {
  const { application, browser } = await seed();
  const tokens = await tokensFor(application, await obtainCode(browser, application, { scope }));
  expect(tokens.scope?.split(' ').sort().join(' ')).toBe(granted);
});

test('denials and account limits of the application are kept', async () => {
  const scopes = [
    { effect: 'allow' as const, actions: ['request:*'], account: 'wdc' },
    { effect: 'deny' as const, actions: ['request:Delete'] },
  ];
  const { application, browser } = await seed({ scopes });
  const code = await obtainCode(browser, application, { scope: 'request:Read request:Delete' });
  const tokens = await tokensFor(application, code);
  expect(await scopesOf(tokens.access_token)).toEqual([
    { effect: 'allow', actions: ['request:Delete', 'request:Read'], account: 'wdc' },
    { effect: 'deny', actions: ['request:Delete'] },
  ]);
  expect(tokens).not.toHaveProperty('scope');
});

test.each([
  ['invalid_scope', 'scope names nothing that the application may do', 'task:Read project:*'],
  ['invalid_scope', 'scope names request:Reed, which is no action', 'me:Name request:Reed'],
  ['invalid_scope', 'scope names request:read, which is no action', 'request:read'],
  ['invalid_scope', 'scope has a comma; actions are separated by spaces', 'request:Read,me:Name'],
  ['invalid_request', 'scope has more than 4096 bytes', `request:Read ${'x'.repeat(4096)}`],
])('an authorization request is an %s: %s', async (error, error_description, scope) => {
  const { application, browser } = await seed();
  const anonymous = openBrowser(auth);
  for (const one of [browser, anonymous]) {
    const answer = answerIn(await one.get('/oauth/authorize').query(authorizeQuery(application, { scope })));
    expect(answer).toMatchObject({ error, error_description });
  }
});

test('a repeated scope is an invalid_request', async () => {
  const { application, browser } = await seed();
  const query = new URLSearchParams(authorizeQuery(application)).toString();
  const twice = await browser.get(`/oauth/authorize?${query}&scope=a&scope=b`);
  expect(answerIn(twice)).toMatchObject({ error: 'invalid_request', error_description: 'scope is repeated' });
});

test('the scope is kept while the person signs in', async () => {
  const { person, application } = await seed();
  const browser = openBrowser(auth);
  const asked = await browser.get('/oauth/authorize').query(authorizeQuery(application, { scope: 'request:Read' }));
  const next = new URL(locationOf(asked), 'http://x').searchParams.get('next') ?? '';
  const resumed = await browser.get(locationOf(await signIn(browser, person, next)));
  const { text } = await browser.get(locationOf(resumed)).expect(200);
  expect(listed(text)).toContain('See requests');
  expect(listed(text)).not.toContain('people');
});

test('a person who has allowed some actions is asked only for further ones', async () => {
  const { application, browser } = await seed();
  const isAsked = async (scope?: string) =>
    locationOf(await browser.get('/oauth/authorize').query(authorizeQuery(application, { scope }))).startsWith(
      '/oauth/consents/',
    );
  const first = await tokensFor(application, await obtainCode(browser, application, { scope: 'request:*' }));
  expect(await isAsked('request:*')).toBe(false);
  expect(await isAsked('request:Read')).toBe(false);
  expect(await isAsked('person:Read')).toBe(true);
  expect(await isAsked()).toBe(true);
  const denied = await decide(browser, authorizeQuery(application, { scope: 'person:Read' }), 'deny');
  expect(answerIn(denied)['error']).toBe('access_denied');
  expect(await isAsked('person:Read')).toBe(true);

  await obtainCode(browser, application, { scope: 'person:Read' });
  expect(await isAsked('person:Read request:Read')).toBe(false);
  expect(await isAsked('me:Name')).toBe(true);
  const profile = (await browser.get('/oauth/profile')).text;
  expect(profile.split('<h3>Demo application</h3>')).toHaveLength(2);
  expect(profile).toContain('See, create, change and delete requests · See people');
  expect(await scopesOf(first.access_token)).toEqual(allowing('request:*'));

  await obtainCode(browser, application);
  expect(await isAsked()).toBe(false);
  expect(await isAsked('me:Name')).toBe(false);
  expect(await scopesOf(first.access_token)).toEqual(allowing('request:*'));
});

test('a person who has allowed all actions is not asked again, and concurrent consents add up', async () => {
  const { application, browser } = await seed();
  const scopes = ['request:Read', 'person:Read', 'me:Name'];
  const codes = await Promise.all(scopes.map((scope) => obtainCode(browser, application, { scope })));
  expect(codes.every(Boolean)).toBe(true);
  const asked = await browser.get('/oauth/authorize').query(authorizeQuery(application, { scope: scopes.join(' ') }));
  expect(answerIn(asked)).toHaveProperty('code');
  const query = { personId: { $exists: true }, applicationId: application.id };
  expect(await auth.connection.collection('authorizations').countDocuments(query)).toBe(1);
});

test('narrowed tokens end when the scopes of the application change, and the next consent is narrowed again', async () => {
  const { person, application, browser } = await seed();
  const scope = 'request:Read person:Read';
  const tokens = await tokensFor(application, await obtainCode(browser, application, { scope }));
  await auth.app.services.applications.update(person.accountId, everything, application.id, {
    scopes: [{ effect: 'allow', actions: ['request:Read', 'task:Read'] }],
  });
  expect(await introspect(auth, tokens.access_token)).toEqual({ active: false });
  await refresh(auth, application, tokens.refresh_token).expect(400);
  const next = await tokensFor(application, await obtainCode(browser, application, { scope }));
  expect(next.scope).toBe('request:Read');
});

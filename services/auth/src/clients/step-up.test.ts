import { answerIn, authorizeQuery, locationOf, obtainCode, openSignedIn, signIn } from '../testing/browser';
import { bodyIn, introspect, pairIn, redeem, refresh } from '../testing/client';
import { consoleSettings, consoleTokenOf } from '../testing/console';
import { callGraph, nodeId } from '../testing/graphql';
import type { Answer } from '../testing/graphql';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start({ settings: consoleSettings });
});
afterAll(() => store.close());
afterEach(() => {
  auth.clock.offset = 0;
});

const halfAnHour = 30 * 60_000;

async function seed() {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId, { scopes: everything });
  return {
    person,
    application,
    browser: await openSignedIn(auth, person),
    id: nodeId('OAuthApplication', application.id),
  };
}
type Seeded = Awaited<ReturnType<typeof seed>>;

async function callWith(token: string, { accountId }: SeededPerson, query: string, variables: object) {
  const { caller_token } = await introspect(auth, token);
  const headers = { Authorization: `Bearer ${caller_token}`, 'X-Service-Account': accountId };
  return bodyIn(await auth.http.post('/graphql').set(headers).send({ query, variables })) as Answer;
}

const secret = `mutation ($id: ID!) { oauthApplicationTokenCreate(input: { applicationId: $id }) { clientSecret } }`;
const askSecret = (token: string, { person, id }: Seeded) => callWith(token, person, secret, { id });

const made = { data: { oauthApplicationTokenCreate: { clientSecret: expect.stringMatching(/^itsm_cs_/) as string } } };
const refused = {
  errors: [{ extensions: { code: 'INSUFFICIENT_USER_AUTHENTICATION', max_age: 1_800 } }],
};

test('a token makes a client secret for half an hour after its person signed in, however often it is refreshed', async () => {
  const seeded = await seed();
  const { application, browser } = seeded;
  const first = pairIn(await redeem(auth, application, await obtainCode(browser, application)).expect(200));
  auth.clock.offset = halfAnHour - 5_000;
  expect(await askSecret(first.access_token, seeded)).toMatchObject(made);
  auth.clock.offset = halfAnHour;
  const second = pairIn(await refresh(auth, application, first.refresh_token).expect(200));
  for (const { access_token } of [first, second]) expect(await askSecret(access_token, seeded)).toMatchObject(refused);
});

test('the other changes that need a step-up on the pages need it here too, and no more', async () => {
  const seeded = await seed();
  const { person, browser, id } = seeded;
  const token = await consoleTokenOf(auth, browser);
  auth.clock.offset = halfAnHour;
  const scopes = '[{ effect: allow, actions: ["*:Read"] }]';
  for (const change of [
    `oauthApplicationCreate(input: { name: "x", scopes: ${scopes} }) { clientMutationId }`,
    `oauthApplicationUpdate(input: { id: "${id}", redirectUris: ["https://evil.example/cb"] }) { clientMutationId }`,
    'ssoConfigurationCreate(input: { name: "x", issuer: "https://idp.example", identifier: primary_email }) { clientMutationId }',
    `ssoConfigurationUpdate(input: { id: "${id}", name: "x" }) { clientMutationId }`,
  ])
    expect(await callWith(token, person, `mutation { ${change} }`, {})).toMatchObject(refused);
  const { caller_token } = await introspect(auth, token);
  const headers = { Authorization: `Bearer ${caller_token}`, 'X-Service-Account': person.accountId };
  for (const [method, path, body] of [
    ['post', '/v1/oauth_applications'],
    ['patch', '/v1/oauth_applications/1', { disabled: false }],
    ['put', '/v1/oauth_applications/1', { disabled: true, name: 'x' }],
    ['post', '/v1/sso_configurations'],
    ['patch', '/v1/sso_configurations/1'],
    ['put', '/v1/sso_configurations/1'],
  ] as const)
    await auth.http[method](path)
      .set(headers)
      .send(body ?? { nonsense: true })
      .expect(401)
      .expect('WWW-Authenticate', 'Bearer error="insufficient_user_authentication", max_age="1800"');
  const disabled = await auth.http
    .patch(`/v1/oauth_applications/${seeded.application.id}`)
    .set(headers)
    .send({ disabled: true });
  expect([disabled.status, disabled.body]).toEqual([200, expect.objectContaining({ disabled: true })]);
  const remove = 'mutation ($id: ID!) { oauthApplicationDelete(input: { id: $id }) { deletedId } }';
  expect(await callWith(token, person, remove, { id })).toEqual({
    data: { oauthApplicationDelete: { deletedId: id } },
  });
});

test('max_age leads the person through the sign-in page, and the resulting token is accepted', async () => {
  const seeded = await seed();
  const { person, application, browser } = seeded;
  await obtainCode(browser, application);
  auth.clock.offset = halfAnHour;
  const ask = (more: Record<string, string>) =>
    browser.get('/oauth/authorize').query(authorizeQuery(application, { max_age: '1800', ...more }));
  expect(answerIn(await ask({ prompt: 'none' }))).toMatchObject({ error: 'login_required' });
  const asked = locationOf(await ask({}));
  expect(asked).toMatch(/^\/oauth\/sign-in\?next=/);
  const next = new URL(asked, 'http://x').searchParams.get('next') ?? '';
  // The older session must pass both pages.
  expect(locationOf(await browser.get(next))).toMatch(/^\/oauth\/sign-in\?next=/);
  await signIn(browser, person, next);
  const { code = '' } = answerIn(await browser.get(next));
  const { access_token } = pairIn(await redeem(auth, application, code).expect(200));
  expect(await askSecret(access_token, seeded)).toMatchObject(made);
  expect(answerIn(await ask({}))['code']).toMatch(/^itsm_ac_/);
  expect(answerIn(await ask({ max_age: '' }))['code']).toMatch(/^itsm_ac_/);
  for (const max_age of ['-1', '1.5', 'soon'])
    expect(answerIn(await ask({ max_age }))).toMatchObject({ error: 'invalid_request' });
});

test('a token without the time of authentication is refused', async () => {
  const seeded = await seed();
  const token = await consoleTokenOf(auth, seeded.browser);
  expect(await askSecret(token, seeded)).toMatchObject(made);
  await auth.connection.collection('access_tokens').updateMany({}, { $unset: { 'grant.authenticatedAt': 1 } });
  expect(await askSecret(token, seeded)).toMatchObject(refused);
});

test('a personal access token needs no recent sign-in, only its scopes', async () => {
  const { person, id } = await seed();
  auth.clock.offset = halfAnHour;
  expect(await callGraph(auth, person, secret, { id })).toMatchObject(made);
});

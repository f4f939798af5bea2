import { createOpaqueToken } from '@itsm/shared/base/ids/opaque-token';
import { obtainCode, openSignedIn } from '../testing/browser';
import { bodyIn, pairIn, redeem, refresh, requestToken } from '../testing/client';
import type { Auth, SeededApplication } from '../testing/start-auth';
import { baseUrl, everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';

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

const scopes = [{ effect: 'allow', actions: ['me:Name', 'person:Read'] }];

async function seed() {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId, {
    grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
    actsAsPersonId: person.id,
  });
  const browser = await openSignedIn(auth, person);
  const pair = pairIn(await redeem(auth, application, await obtainCode(browser, application)));
  return { person, application, ...pair };
}

const ask = ({ clientId, clientSecret }: SeededApplication, more: object) =>
  auth.http
    .post('/oauth/introspect')
    .type('form')
    .send({ client_id: clientId, client_secret: clientSecret, ...more });
const answerTo = async (application: SeededApplication, token: string): Promise<unknown> =>
  bodyIn(await ask(application, { token }).expect(200));
const get = (authorization?: string) => {
  const call = auth.http.get('/oauth/introspect');
  return authorization === undefined ? call : call.set('Authorization', authorization);
};

async function personalToken(personId: number): Promise<string> {
  const expiresAt = new Date(auth.now().getTime() + 3_600_000);
  const input = { personId, name: 'Script', scopes: everything, expiresAt };
  return (await auth.app.operator.createPersonalAccessToken(input)).token;
}

test('RFC 7662 §2.2: an access token is active, with its client, person, time and scopes', async () => {
  const { person, application, access_token } = await seed();
  const response = await ask(application, { token: access_token, token_type_hint: 'refresh_token' }).expect(200);
  const { iat, exp, ...body } = response.body as { iat: number; exp: number };
  expect(body).toEqual({
    active: true,
    iss: baseUrl,
    aud: baseUrl,
    client_id: application.clientId,
    sub: String(person.id),
    account: person.accountId,
    token_type: 'bearer',
    scope: 'me:Name person:Read',
    scopes,
  });
  expect(exp - iat).toBe(3600);
  expect(response.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
});

test('a token of the client credentials grant is described in the same way', async () => {
  const { application } = await seed();
  const { access_token } = pairIn(await requestToken(auth, application, { grant_type: 'client_credentials' }));
  expect(await answerTo(application, access_token)).toMatchObject({ active: true, token_type: 'bearer' });
});

test('a refresh token is active until it is rotated, and has no token type', async () => {
  const { application, refresh_token } = await seed();
  const described = await answerTo(application, refresh_token);
  expect(described).toMatchObject({ active: true, client_id: application.clientId });
  expect(described).not.toHaveProperty('token_type');
  await refresh(auth, application, refresh_token).expect(200);
  expect(await answerTo(application, refresh_token)).toEqual({ active: false });
});

test('scopes that a flat list cannot express are returned only as records', async () => {
  const { person } = await seed();
  const limited = await seedApplication(auth, person.accountId, {
    name: 'Limited',
    grantTypes: ['client_credentials'],
    actsAsPersonId: person.id,
    scopes: [
      { effect: 'allow', actions: ['request:*'] },
      { effect: 'deny', actions: ['request:Delete'] },
    ],
  });
  const { access_token } = pairIn(await requestToken(auth, limited, { grant_type: 'client_credentials' }));
  const described = await answerTo(limited, access_token);
  expect(described).not.toHaveProperty('scope');
  expect(described).toHaveProperty('scopes.1.effect', 'deny');
});

test("RFC 7662 §2.2: applications of one account see each other's tokens, other accounts see nothing", async () => {
  const { person, access_token, refresh_token } = await seed();
  const colleague = await seedApplication(auth, person.accountId, { name: 'Colleague' });
  const stranger = await seed();
  for (const token of [access_token, refresh_token]) {
    expect(await answerTo(colleague, token)).toMatchObject({ active: true });
    expect(await answerTo(stranger.application, token)).toEqual({ active: false });
  }
});

test('RFC 7662 §2.2: an invalid token is only reported as inactive', async () => {
  const { person, application, access_token, refresh_token } = await seed();
  const personal = await personalToken(person.id);
  const unknown = [createOpaqueToken('at'), createOpaqueToken('rt'), createOpaqueToken('xt'), 'x', 'a'.repeat(50_000)];
  for (const token of [...unknown, personal, application.clientSecret]) {
    expect(await answerTo(application, token)).toEqual({ active: false });
  }
  auth.clock.offset = 3_600_000;
  expect(await answerTo(application, access_token)).toEqual({ active: false });
  expect(await answerTo(application, refresh_token)).toMatchObject({ active: true });
  auth.clock.offset = 14 * 86_400_000;
  expect(await answerTo(application, refresh_token)).toEqual({ active: false });
  auth.clock.offset = 0;
  await auth.app.services.persons.disable(person.accountId, person.id);
  expect(await answerTo(application, access_token)).toEqual({ active: false });
  expect(await answerTo(application, refresh_token)).toEqual({ active: false });
});

test('RFC 7662 §2.1: the client must authenticate', async () => {
  const { application, access_token } = await seed();
  const wrong = await ask(application, { token: access_token, client_secret: 'wrong' }).expect(400);
  expect(wrong.body).toMatchObject({ error: 'invalid_client' });
  const basic = (secret: string) => `Basic ${Buffer.from(`${application.clientId}:${secret}`).toString('base64')}`;
  const post = (authorization: string) =>
    auth.http.post('/oauth/introspect').set('Authorization', authorization).type('form').send({ token: access_token });
  const refused = await post(basic('wrong')).expect(401);
  expect(refused.body).toMatchObject({ error: 'invalid_client' });
  expect(refused.headers).toMatchObject({ 'cache-control': 'no-store' });
  await post(`Bearer ${access_token}`).expect(401);
  expect((await post(basic(application.clientSecret)).expect(200)).body).toMatchObject({ active: true });
});

test('RFC 7662 §2.3: malformed requests are refused', async () => {
  const { application } = await seed();
  const { clientId: client_id, clientSecret: client_secret } = application;
  const credentials = new URLSearchParams({ client_id, client_secret }).toString();
  const post = (type: string, body: string) => auth.http.post('/oauth/introspect').set('Content-Type', type).send(body);
  const form = 'application/x-www-form-urlencoded';
  const refused = [
    await ask(application, {}).expect(400),
    await post(form, `${credentials}&token=a&token=b`).expect(400),
    await post('application/json', JSON.stringify({ client_id, client_secret, token: { $ne: null } })).expect(400),
    await post('application/json', '[').expect(400),
    await post('text/html', `${credentials}&token=a`).expect(400),
    await post(form, `${credentials}&token=${'a'.repeat(70_000)}`).expect(413),
  ];
  for (const { body } of refused) expect(body).toMatchObject({ error: 'invalid_request' });
});

test('the holder of a token sees its scopes, and nothing is cached', async () => {
  const { person, access_token } = await seed();
  const response = await get(`Bearer ${access_token}`).expect(200);
  expect(response.body).toEqual({ active: true, scopes });
  expect(response.headers).toMatchObject({ 'cache-control': 'no-store' });
  const personal = await personalToken(person.id);
  expect((await get(`bearer ${personal}`).expect(200)).body).toEqual({ active: true, scopes: everything });
});

test('an invalid bearer token is only reported as inactive', async () => {
  const { refresh_token, access_token } = await seed();
  for (const token of [createOpaqueToken('at'), 'x', 'eyJhbGciOiJub25lIn0.e30.', refresh_token]) {
    expect((await get(`Bearer ${token}`).expect(200)).body).toEqual({ active: false });
  }
  auth.clock.offset = 3_600_000;
  expect((await get(`Bearer ${access_token}`).expect(200)).body).toEqual({ active: false });
});

test('RFC 6750 §3: without a bearer token in the header the answer is a challenge', async () => {
  const { access_token } = await seed();
  for (const authorization of [undefined, 'Bearer', 'Bearer  ', 'Bearer a b', 'Basic eDp5', access_token]) {
    const response = await get(authorization).query({ access_token }).expect(401);
    expect(response.headers).toHaveProperty('www-authenticate', expect.stringMatching(/^Bearer /) as string);
    expect(response.body).toEqual({ message: 'Unauthorized' });
  }
});

test('other methods are not allowed', async () => {
  const response = await auth.http.put('/oauth/introspect').expect(405);
  expect(response.headers).toHaveProperty('allow', 'GET, HEAD, POST');
});

import { obtainCode, openSignedIn } from '../testing/browser';
import { bodyIn, pairIn, redeem, refresh, requestToken } from '../testing/client';
import type { Auth } from '../testing/start-auth';
import { callback, everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

async function seed(grantTypes?: ['authorization_code']) {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId, grantTypes && { grantTypes });
  return { person, application, browser: await openSignedIn(auth, person) };
}

const post = () => auth.http.post('/oauth/token');
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

test('form and JSON bodies are both accepted', async () => {
  const { application, browser } = await seed();
  const code = await obtainCode(browser, application);
  const body = bodyIn(
    await post()
      .send({
        client_id: application.clientId,
        client_secret: application.clientSecret,
        grant_type: 'authorization_code',
        redirect_uri: callback,
        code,
      })
      .expect(200),
  );
  expect(body).toHaveProperty('token_type', 'bearer');
});

test('success and errors must not be cached', async () => {
  const { application, browser } = await seed();
  const success = await redeem(auth, application, await obtainCode(browser, application)).expect(200);
  const failure = await post().type('form').send({}).expect(400);
  for (const { headers } of [success, failure]) {
    expect(headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    expect((headers as Record<string, string>)['content-type']).toMatch(/^application\/json/);
    expect(headers).not.toHaveProperty('etag');
  }
});

test('the grant type is checked first', async () => {
  for (const grant_type of ['password', 'implicit', 'constructor', '__proto__']) {
    const body = bodyIn(
      await post()
        .type('form')
        .send({ grant_type, client_id: ['a', 'b'] })
        .expect(400),
    );
    expect(body).toMatchObject({ error: 'unsupported_grant_type' });
  }
  const body = bodyIn(await post().type('form').send({ client_id: 'x' }).expect(400));
  expect(body).toEqual({ error: 'invalid_request', error_description: 'grant_type is missing' });
});

test.each(['client_id', 'client_secret', 'redirect_uri', 'code'])('a request without %s is invalid', async (name) => {
  const { application, browser } = await seed();
  const code = await obtainCode(browser, application);
  for (const missing of [undefined, '']) {
    const body = bodyIn(await redeem(auth, application, code, { [name]: missing }).expect(400));
    expect(body).toEqual({ error: 'invalid_request', error_description: `${name} is missing` });
  }
  await redeem(auth, application, code).expect(200);
});

test.each([{ $ne: null }, ['a'], 7, true, null, {}])('a JSON value that is no string is invalid: %j', async (value) => {
  const { application } = await seed();
  const usual = {
    client_id: application.clientId,
    client_secret: application.clientSecret,
    code: 'c',
    redirect_uri: 'r',
  };
  for (const name of ['client_id', 'client_secret', 'code', 'redirect_uri', 'extra']) {
    const body = bodyIn(
      await post()
        .send({ ...usual, grant_type: 'authorization_code', [name]: value })
        .expect(400),
    );
    expect(body).toEqual({ error: 'invalid_request', error_description: `${name} must be given once, as a string` });
  }
  expect(
    (
      await post()
        .send({ ...usual, grant_type: value })
        .expect(400)
    ).body,
  ).toMatchObject({ error: 'invalid_request' });
});

test('repeated parameters and operators in a form are invalid', async () => {
  for (const body of [
    'grant_type=authorization_code&code=a&code=b',
    'grant_type=refresh_token&grant_type=refresh_token',
  ]) {
    expect((await post().type('form').send(body).expect(400)).body).toMatchObject({ error: 'invalid_request' });
  }
  const body = bodyIn(
    await post().type('form').send('grant_type=refresh_token&client_id[$ne]=x&client_secret=y').expect(400),
  );
  expect(body).toEqual({ error: 'invalid_request', error_description: 'client_id is missing' });
});

test.each([
  ['application/json', '{"grant_type":'],
  ['application/json', '[]'],
  ['application/json', '"text"'],
  ['application/json', ''],
  ['text/plain', 'grant_type=refresh_token'],
  ['application/xml', '<a/>'],
])('a body of %s that reads %s is invalid', async (type, text) => {
  const body = bodyIn(await post().set('Content-Type', type).send(text).expect(400));
  expect(body).toMatchObject({ error: 'invalid_request' });
});

test.each(['{"\\\\":"\\u0000"}', '{"\\"é":"\\u0000"}', '{"\\ud83d\\ude00":"\\ud83d"}'])(
  'the description of an error has only characters that RFC 6749 §5.2 allows: %s',
  async (text) => {
    const body = bodyIn(await post().set('Content-Type', 'application/json').send(text).expect(400));
    const error_description = expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/) as string;
    expect(body).toEqual({ error: 'invalid_request', error_description });
  },
);

test.each([
  'application/x-www-form-urlencoded; charset=utf-16',
  'application/x-www-form-urlencoded; charset=klingon',
  'application/json; charset=klingon',
])('a body of the type %s is invalid', async (type) => {
  const text = type.includes('json') ? '{"grant_type":"refresh_token"}' : 'grant_type=refresh_token';
  const body = bodyIn(await post().set('Content-Type', type).send(text).expect(400));
  expect(body).toMatchObject({ error: 'invalid_request' });
});

test.each([
  '{"grant_type":"refresh_token","grant_type":"refresh_token"}',
  '{"grant_type":"refresh_token","client_id":"a","client_\\u0069d":"b"}',
  '{"client_id":{"client_id":"}"},"grant_type":"refresh_token", "client_id" : "b"}',
])('a member that is named twice is invalid: %s', async (text) => {
  const body = bodyIn(await post().set('Content-Type', 'application/json').send(text).expect(400));
  expect(body).toEqual({ error: 'invalid_request', error_description: 'A parameter must be given once, as a string' });
});

test('a nested member, or a name inside a text, is no duplicate', async () => {
  const text =
    '{"grant_type":"refresh_token","client_id":"\\"client_secret\\":","client_secret":"x","refresh_token":"\\\\"}';
  const body = bodyIn(await post().set('Content-Type', 'application/json').send(text).expect(400));
  expect(body).toMatchObject({ error: 'invalid_client' });
});

test('a body over 64 KB is refused', async () => {
  const body = bodyIn(
    await post()
      .type('form')
      .send(`code=${'a'.repeat(70_000)}`)
      .expect(413),
  );
  expect(body).toMatchObject({ error: 'invalid_request' });
});

test('an unknown client, a wrong secret and a disabled client get the same answer', async () => {
  const { person, application } = await seed();
  const disabled = await seedApplication(auth, person.accountId, { name: 'Disabled' });
  await auth.app.services.applications.update(person.accountId, [], disabled.id, { disabled: true });
  const withoutToken = await seedApplication(auth, person.accountId, { name: 'Token disabled' });
  await auth.app.services.clientTokens.update(
    person.accountId,
    everything,
    { clientId: withoutToken.clientId },
    { disabled: true },
  );
  const answers = await Promise.all([
    redeem(auth, application, 'c', { client_id: 'nobody' }),
    redeem(auth, application, 'c', { client_secret: 'wrong' }),
    redeem(auth, disabled, 'c'),
    redeem(auth, withoutToken, 'c'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0].body).toMatchObject({ error: 'invalid_client' });
});

test('a client may authenticate with HTTP Basic', async () => {
  const { application, browser } = await seed();
  const code = await obtainCode(browser, application);
  const form = { grant_type: 'authorization_code', redirect_uri: callback, code };
  const encoded = basic(encodeURIComponent(application.clientId), encodeURIComponent(application.clientSecret));
  await post().set('Authorization', encoded).type('form').send(form).expect(200);
});

test.each(['Basic', 'Basic !!!', 'Basic Og==', basic('nobody', 'x'), basic('%zz', 'x'), 'Bearer abc', 'Digest x'])(
  'with the header %s a client is refused with a challenge',
  async (header) => {
    const response = await post().set('Authorization', header).type('form').send({ grant_type: 'refresh_token' });
    expect(response.status).toBe(401);
    expect(response.headers).toHaveProperty('www-authenticate', expect.stringMatching(/^Basic /) as string);
    expect(response.body).toMatchObject({ error: 'invalid_client' });
  },
);

test('a client that authenticates in two ways is refused', async () => {
  const { application } = await seed();
  const header = basic(application.clientId, application.clientSecret);
  for (const more of [{ client_secret: application.clientSecret }, { client_id: 'another' }]) {
    const form = { grant_type: 'refresh_token', refresh_token: 'x', ...more };
    const body = bodyIn(await post().set('Authorization', header).type('form').send(form).expect(400));
    expect(body).toMatchObject({ error: 'invalid_request' });
  }
});

test('a grant type that is not enabled for the application is refused', async () => {
  const { application } = await seed(['authorization_code']);
  const form = {
    client_id: application.clientId,
    client_secret: application.clientSecret,
    grant_type: 'refresh_token',
  };
  const body = bodyIn(await post().type('form').send(form).expect(400));
  expect(body).toMatchObject({ error: 'unauthorized_client' });
});

test('parameters in the URL are ignored', async () => {
  const { application } = await seed();
  const query = { client_id: application.clientId, client_secret: application.clientSecret };
  const body = bodyIn(await post().query(query).type('form').send({ grant_type: 'refresh_token' }).expect(400));
  expect(body).toEqual({ error: 'invalid_request', error_description: 'client_id is missing' });
});

const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials'] as const;

test("RFC 6749 §5.1: the answer always has the token's scope; words that are no actions change nothing", async () => {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId, { grantTypes, actsAsPersonId: person.id });
  const browser = await openSignedIn(auth, person);
  const pair = await redeem(auth, application, await obtainCode(browser, application), { scope: 'everything' });
  const refreshed = await refresh(auth, application, pairIn(pair).refresh_token, { scope: 'openid offline_access' });
  const direct = [undefined, '', 'x y'].map((scope) =>
    requestToken(auth, application, { grant_type: 'client_credentials', scope }),
  );
  for (const { status, body } of [pair, refreshed, ...(await Promise.all(direct))]) {
    expect([status, body]).toEqual([200, expect.objectContaining({ scope: 'me:Name person:Read' })]);
  }
});

test.each([
  ['request:Reed', 'scope names request:Reed, which is no action'],
  ['request:read', 'scope names request:read, which is no action'],
  ['REQUEST:READ', 'scope names REQUEST:READ, which is no action'],
  ['reqest:Read', 'scope names reqest:Read, which is no action'],
  ['person:Name', 'scope names person:Name, which is no action'],
  ['openid person:Read request:', 'scope names request:, which is no action'],
  ['me:Name,person:Read', 'scope has a comma; actions are separated by spaces'],
  ['me,person', 'scope has a comma; actions are separated by spaces'],
  ['person:Read\tme:Name', 'scope names a word with a colon, which is no action'],
  ['urn:"x"', 'scope names a word with a colon, which is no action'],
])('RFC 6749 §5.2 invalid_scope: %p, in every grant, and nothing is used up', async (scope, error_description) => {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId, { grantTypes, actsAsPersonId: person.id });
  const browser = await openSignedIn(auth, person);
  const refused = { status: 400, body: { error: 'invalid_scope', error_description } };
  const code = await obtainCode(browser, application);
  expect(await redeem(auth, application, code, { scope })).toMatchObject(refused);
  const { refresh_token: token } = pairIn(await redeem(auth, application, code).expect(200));
  expect(await refresh(auth, application, token, { scope })).toMatchObject(refused);
  await refresh(auth, application, token).expect(200);
  expect(await requestToken(auth, application, { grant_type: 'client_credentials', scope })).toMatchObject(refused);
  const exchange = { grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange', scope };
  expect(await requestToken(auth, application, exchange)).toMatchObject(refused);
});

test('a scope of which nothing is granted is an invalid_scope, and a long one an invalid_request', async () => {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId, { grantTypes, actsAsPersonId: person.id });
  const ask = (scope: string) => requestToken(auth, application, { grant_type: 'client_credentials', scope });
  expect((await ask('task:Read').expect(400)).body).toMatchObject({ error: 'invalid_scope' });
  expect((await ask(`me:Name ${'x'.repeat(4096)}`).expect(400)).body).toMatchObject({ error: 'invalid_request' });
});

test('scopes that a list cannot express are in the member scopes', async () => {
  const person = await seedPerson(auth);
  const scopes = [
    { effect: 'allow' as const, actions: ['person:*'] },
    { effect: 'deny' as const, actions: ['person:Update'] },
  ];
  const settings = { grantTypes: ['client_credentials'] as const, actsAsPersonId: person.id, scopes };
  const application = await seedApplication(auth, person.accountId, settings);
  const asked = await requestToken(auth, application, { grant_type: 'client_credentials', scope: 'x' }).expect(200);
  expect(asked.body).not.toHaveProperty('scope');
  expect(asked.body).toMatchObject({ scopes });
});

test('only POST is answered', async () => {
  const response = await auth.http.get('/oauth/token').expect(405, { message: 'Method Not Allowed' });
  expect(response.headers).toHaveProperty('allow', 'POST');
});

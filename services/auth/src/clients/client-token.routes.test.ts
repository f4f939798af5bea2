import { waitUntil } from '@itsm/shared/testing/wait-until';
import { openSignedIn } from '../testing/browser';
import { headersOf, nodeId } from '../testing/caller';
import { bodyIn, introspect } from '../testing/client';
import { consoleSettings, consoleTokenOf } from '../testing/console';
import { callGraph } from '../testing/graphql';
import type { Auth } from '../testing/start-auth';
import { baseUrl, seedApplication, seedPerson, startStore } from '../testing/start-auth';

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

type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';
type Body = Readonly<Record<string, unknown>>;

/** An administrator with an application and its first client token. */
async function seed() {
  const person = await seedPerson(auth);
  const { id, clientId, clientSecret } = await seedApplication(auth, person.accountId);
  const headers = await headersOf(auth, person);
  const tokens = `/v1/oauth_applications/${id}/tokens`;
  const send = (method: Method, path: string, body?: object, more: object = {}) =>
    auth.http[method](path)
      .set({ ...headers, ...more })
      .send(body);
  const list = async () => bodyIn(await send('get', tokens)) as Body[];
  return { person, id, clientId, clientSecret, tokens, token: `${tokens}/${clientId}`, headers, send, list };
}

const eventsOf = async (accountId: string) =>
  (
    await auth.connection
      .collection('security_log')
      .find({ accountIds: accountId, event: /^client_token/ })
      .sort({ _id: -1 })
      .toArray()
  ).map((entry) => [entry['event'] as string, entry['clientId'] as string]);

test('a token is made, found at its address, disabled, enabled and deleted; the secret is shown once', async () => {
  const { person, tokens, send, list } = await seed();
  const from = (await eventsOf(person.accountId)).length;
  auth.clock.offset = 1_000;
  const made = await send('post', tokens, { name: '  Billing  ' });
  expect(made.headers['cache-control']).toBe('no-store');
  const { client_secret: secret, ...record } = bodyIn(made) as Body;
  const clientId = String(record['client_id']);
  expect([made.status, made.get('Location')]).toEqual([201, `${baseUrl}${tokens}/${clientId}`]);
  expect(secret).toMatch(/^itsm_cs_/);
  expect(record).toEqual({
    id: clientId,
    nodeID: nodeId('OAuthApplicationToken', clientId),
    client_id: clientId,
    name: 'Billing',
    disabled: false,
    created_at: expect.stringMatching(/^20/) as string,
    last_used_at: null,
  });
  const address = `${tokens}/${clientId}`;
  const found = await send('get', address);
  expect([bodyIn(found), found.get('ETag')]).toEqual([record, made.get('ETag')]);
  expect(await list()).toEqual([expect.objectContaining({ name: null }), record]);
  const [last] = bodyIn(await send('get', `${tokens}?fields=name&sort=-created_at`)) as Body[];
  expect(last).toEqual({ id: clientId, name: 'Billing' });
  const use = { client_id: clientId, client_secret: String(secret), token: 'itsm_at_x' };
  const authenticates = async () => (await auth.http.post('/oauth/revoke').type('form').send(use)).status;
  expect(await authenticates()).toBe(200);
  const disabled = await send('patch', address, { disabled: 'true' });
  expect([disabled.status, bodyIn(disabled)]).toMatchObject([200, { client_id: clientId, disabled: true }]);
  expect(await authenticates()).toBe(400);
  const byNodeId = `${tokens}/${nodeId('OAuthApplicationToken', clientId)}`;
  expect(bodyIn(await send('put', byNodeId, { disabled: false }))).toMatchObject({ disabled: false });
  expect(await authenticates()).toBe(200);
  expect((await send('delete', address)).status).toBe(204);
  expect(await authenticates()).toBe(400);
  for (const method of ['patch', 'delete'] as const) expect((await send(method, address, {})).status).toBe(404);
  expect((await send('get', address)).status).toBe(404);
  expect((await eventsOf(person.accountId)).slice(from)).toEqual(
    ['created', 'disabled', 'enabled', 'deleted'].map((what) => [`client_token.${what}`, clientId]),
  );
  const answers = [disabled, found, await send('get', `/v1/oauth_applications`), auth.log].map((one) =>
    JSON.stringify('body' in one ? one.body : one),
  );
  expect(answers.join()).not.toContain(String(secret));
});

test('GraphQL and REST show the same token, its name and its last use', async () => {
  const { person, clientId, clientSecret, id, send, token } = await seed();
  const made = await callGraph(
    auth,
    person,
    'mutation ($id: ID!) { oauthApplicationTokenCreate(input: { applicationId: $id, name: "Nightly" }) { oauthApplicationToken { name version lastUsedAt } clientSecret errors { message } } }',
    { id: nodeId('OAuthApplication', id) },
  );
  expect(made.data?.['oauthApplicationTokenCreate']).toEqual({
    oauthApplicationToken: { name: 'Nightly', version: 1, lastUsedAt: null },
    clientSecret: expect.stringMatching(/^itsm_cs_/) as string,
    errors: [],
  });
  const lastUse = async () => (bodyIn(await send('get', token)) as Body)['last_used_at'];
  const use = (secret: string) =>
    auth.http
      .post('/oauth/revoke')
      .type('form')
      .send({ client_id: clientId, client_secret: secret, token: 'itsm_at_x' });
  // From an address of its own, since wrong secrets slow down their address.
  await use(`${clientSecret}x`).set('X-Forwarded-For', '203.0.113.9').expect(400);
  expect(await lastUse()).toBeNull();
  await use(clientSecret).expect(200);
  const first = await waitUntil('the first use', lastUse);
  auth.clock.offset = 59_000;
  await use(clientSecret).expect(200);
  expect(await lastUse()).toBe(first);
  auth.clock.offset = 120_000;
  await use(clientSecret).expect(200);
  await waitUntil('a later use', async () => (await lastUse()) !== first);
  const { data } = await callGraph(
    auth,
    person,
    '{ oauthApplications(first: 1) { nodes { tokens { clientId name } } } }',
  );
  expect(JSON.stringify(data)).toContain('"name":"Nightly"');
});

test('a call needs a token, its scope, the role, and the account and the application of the token', async () => {
  const { person, clientId, tokens, token, list } = await seed();
  const other = await seed();
  const colleague = await seedPerson(auth, { accountId: person.accountId, roles: ['specialist'] });
  const second = await seedApplication(auth, person.accountId, { name: 'Second' });
  const elsewhere = `/v1/oauth_applications/${second.id}/tokens/${clientId}`;
  for (const [method, path, action, body] of [
    ['get', tokens, 'Read', undefined],
    ['get', token, 'Read', undefined],
    ['post', tokens, 'Update', {}],
    ['patch', token, 'Update', { disabled: true }],
    ['put', token, 'Update', { disabled: true }],
    ['delete', token, 'Update', undefined],
  ] as const) {
    const call = (headers: Record<string, string>, at: string = path) => auth.http[method](at).set(headers).send(body);
    await call({ 'X-Service-Account': person.accountId }).expect(401);
    await call({ Authorization: 'Bearer a.b.c', 'X-Service-Account': person.accountId }).expect(401);
    const scopes = [{ effect: 'allow' as const, actions: ['request:*', 'oauth-application:Create'] }];
    const missing = { message: `Missing required scope(s): oauth-application:${action}` };
    await call(await headersOf(auth, person, { scopes })).expect(403, missing);
    await call(await headersOf(auth, colleague)).expect(403);
    await call(other.headers).expect(404, { message: 'Not Found' });
    const own = await headersOf(auth, person);
    if (path === token) await call(own, elsewhere).expect(404);
    for (const nowhere of ['/v1/oauth_applications/0/tokens', '/v1/oauth_applications/x/tokens'])
      await call(own, path === token ? `${nowhere}/${clientId}` : nowhere).expect(404);
  }
  await auth.http
    .put(tokens)
    .set(await headersOf(auth, person))
    .expect(405);
  expect(await list()).toMatchObject([{ client_id: clientId, disabled: false }]);
});

test('a new secret and enabling need a recent sign-in, and disabling or deleting a token that leaked does not', async () => {
  const { person, tokens, token } = await seed();
  const access = await consoleTokenOf(auth, await openSignedIn(auth, person));
  const headersNow = async () => ({
    Authorization: `Bearer ${(await introspect(auth, access)).caller_token}`,
    'X-Service-Account': person.accountId,
  });
  await auth.http
    .post(tokens)
    .set(await headersNow())
    .send({})
    .expect(201);
  auth.clock.offset = 30 * 60_000;
  const stale = await headersNow();
  await auth.http
    .post(tokens)
    .set(stale)
    .send({ nonsense: true })
    .expect(401)
    .expect('WWW-Authenticate', 'Bearer error="insufficient_user_authentication", max_age="1800"');
  await auth.http.patch(token).set(stale).send({ disabled: true }).expect(200);
  await auth.http.patch(token).set(stale).send({ disabled: false }).expect(401);
  const { accountId } = person;
  expect(await auth.connection.collection('applications').findOne({ accountId })).toMatchObject({
    tokens: [{ disabledAt: expect.any(Date) as Date }, { disabledAt: null }],
  });
  await auth.http.delete(token).set(stale).expect(204);
});

test('what is wrong is refused, each member by its name, and nothing is written', async () => {
  const { send, tokens, token, list, headers } = await seed();
  const refused = async (method: Method, body: object) => {
    const { status, body: answer } = await send(method, method === 'post' ? tokens : token, body);
    return [status, (answer as { errors?: unknown }).errors];
  };
  const tooLong = 'Name is too long (at most 80 characters)';
  expect(await refused('post', { name: 'x'.repeat(81), nonsense: 1 })).toEqual([
    422,
    [
      ['name', tooLong],
      ['nonsense', 'Unknown member'],
    ],
  ]);
  for (const name of ['a\nb', 'a\u202eb', 7, ['x']])
    expect(await refused('post', { name })).toEqual([422, [['name', expect.stringMatching(/^Name /)]]]);
  expect(await refused('post', { disabled: true })).toEqual([
    422,
    [['disabled', 'Disabled cannot be given for a new one']],
  ]);
  expect(await refused('patch', { name: 'Other' })).toEqual([422, [['name', 'Name cannot be changed']]]);
  for (const disabled of [null, 3, 'perhaps', ''])
    expect(await refused('patch', { disabled })).toEqual([422, [['disabled', 'Disabled is not true or false']]]);
  for (const member of ['client_id', 'client_secret', 'secret_digest', 'application_id'])
    expect(await refused('patch', { [member]: '1' })).toEqual([422, [[member, 'Unknown member']]]);
  await auth.http.post(tokens).set(headers).type('form').send('name=x').expect(415);
  await auth.http.post(`${tokens}?fields=client_secret`).set(headers).send({}).expect(400);
  expect(await list()).toMatchObject([{ name: null, disabled: false }]);
});

test('at most ten are made, also by calls at once', async () => {
  const { send, tokens, list } = await seed();
  const made = await Promise.all(Array.from({ length: 12 }, () => send('post', tokens, {})));
  expect(made.map(({ status }) => status).sort()).toEqual([...Array<number>(9).fill(201), 422, 422, 422]);
  expect(made.find(({ status }) => status === 422)?.body).toMatchObject({
    errors: [['application_id', 'An application has at most 10 client tokens']],
  });
  expect(await list()).toHaveLength(10);
});

test('If-Match: of two changes of one version one is made, and a use is no change', async () => {
  const { person, send, tokens, token, clientId, clientSecret } = await seed();
  const seen = (await send('get', token)).get('ETag') ?? '';
  await auth.http
    .post('/oauth/revoke')
    .type('form')
    .send({ client_id: clientId, client_secret: clientSecret, token: 'x' })
    .expect(200);
  await waitUntil('the use', async () => (bodyIn(await send('get', token)) as Body)['last_used_at'] !== null);
  const match = { 'If-Match': seen };
  const both = await Promise.all([
    send('patch', token, { disabled: true }, match),
    send('delete', token, undefined, match),
  ]);
  const statuses = both.map(({ status }) => status).sort();
  expect([
    [200, 412],
    [204, 404],
    [204, 412],
  ]).toContainEqual(statuses);
  const another = bodyIn(await send('post', tokens, {})) as { id: string };
  const { data } = await callGraph(
    auth,
    person,
    'mutation ($id: ID!) { oauthApplicationTokenUpdate(input: { id: $id, ifVersion: 7, disabled: true }) { errors { message path } } }',
    { id: nodeId('OAuthApplicationToken', another.id) },
  );
  expect(data?.['oauthApplicationTokenUpdate']).toEqual({
    errors: [{ message: 'The record has changed: its version is 1', path: ['ifVersion'] }],
  });
});

test('a token of a release without versions is changed in version 0', async () => {
  const { person, send, token } = await seed();
  const applications = auth.connection.collection('applications');
  const { accountId } = person;
  await applications.updateOne({ accountId }, { $unset: { 'tokens.0.version': true, 'tokens.0.name': true } });
  const seen = await send('get', token);
  expect([seen.get('ETag'), bodyIn(seen)]).toEqual([
    expect.stringMatching(/^"0\./),
    expect.objectContaining({ name: null }),
  ]);
  const match = { 'If-Match': seen.get('ETag') ?? '' };
  expect((await send('patch', token, { disabled: true }, match)).status).toBe(200);
  expect((await send('patch', token, { disabled: false }, match)).status).toBe(412);
});

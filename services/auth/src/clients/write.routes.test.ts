import { headersOf, nodeId } from '../testing/caller';
import { bodyIn } from '../testing/client';
import { createRestClient } from '../testing/rest';
import type { Body } from '../testing/rest';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { baseUrl, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

const { send } = createRestClient(() => auth);

const provider = { name: 'Provider', issuer: 'https://id.example/tenant/', identifier: 'primary_email' };

const readsRequests = [{ effect: 'allow', actions: ['request:Read'], account: null }];

const shop = { name: 'Shop', redirect_uris: ['https://shop.example/cb'], scopes: readsRequests };

/** Each type with what a new record needs, a change, and the scope model. */
const types = [
  {
    path: '/v1/sso_configurations',
    type: 'SsoConfiguration',
    model: 'sso-configuration',
    made: provider,
    change: { client_id: 'ours', email_verified_required: 'false' },
    after: { client_id: 'ours', email_verified_required: false, has_client_secret: false },
  },
  {
    path: '/v1/oauth_applications',
    type: 'OAuthApplication',
    model: 'oauth-application',
    made: shop,
    change: { pkce_required: 'false', homepage: 'https://shop.example/', description: '' },
    after: { pkce_required: false, homepage: 'https://shop.example/', description: '' },
  },
] as const;

describe.each(types)('$path', ({ path, type, model, made, change, after }) => {
  async function create(person: SeededPerson, more: object = {}): Promise<Body & { readonly id: number }> {
    const response = await send(person, 'post', path, { ...made, ...more });
    expect([response.status, bodyIn(response)]).toEqual([201, expect.objectContaining({ name: expect.any(String) })]);
    return bodyIn(response) as Body & { readonly id: number };
  }

  test('a record is made, found at its address, and changed by PATCH and PUT', async () => {
    const person = await seedPerson(auth);
    const response = await send(person, 'post', path, made);
    const record = bodyIn(response) as Body;
    expect([response.status, response.get('Location')]).toEqual([201, `${baseUrl}${path}/${String(record['id'])}`]);
    const found = await send(person, 'get', `${path}/${String(record['id'])}`);
    expect(bodyIn(found)).toEqual(record);
    for (const [method, id] of [
      ['patch', record['id']],
      ['put', nodeId(type, Number(record['id']))],
    ] as const) {
      const changed = await send(person, method, `${path}/${String(id)}`, change);
      expect([changed.status, bodyIn(changed)]).toEqual([200, expect.objectContaining({ name: made.name, ...after })]);
    }
    const narrow = await send(person, 'patch', `${path}/${String(record['id'])}?fields=name`, { name: 'Other' });
    expect(bodyIn(narrow)).toEqual({ id: record['id'], name: 'Other' });
  });

  test('a call needs a token, its scope, the role, and the account of the record', async () => {
    const person = await seedPerson(auth);
    const colleague = await seedPerson(auth, { accountId: person.accountId, roles: ['specialist'] });
    const stranger = await seedPerson(auth);
    const { id } = await create(person);
    for (const [method, address, action, body] of [
      ['post', path, `${model}:Create`, { ...made, name: 'Second' }],
      ['patch', `${path}/${id}`, `${model}:Update`, { name: 'Mine' }],
      ['put', `${path}/${id}`, `${model}:Update`, { name: 'Mine' }],
    ] as const) {
      const call = (headers: Record<string, string>) => auth.http[method](address).set(headers).send(body);
      await call({ 'X-Service-Account': person.accountId }).expect(401);
      await call({ Authorization: 'Bearer a.b.c', 'X-Service-Account': person.accountId }).expect(401);
      const scopes = [{ effect: 'allow' as const, actions: [`${model}:Read`, 'request:*'] }];
      const missing = { message: `Missing required scope(s): ${action}` };
      await call(await headersOf(auth, person, { scopes })).expect(403, missing);
      await call(await headersOf(auth, colleague)).expect(403);
      if (method !== 'post') await call(await headersOf(auth, stranger)).expect(404, { message: 'Not Found' });
    }
    expect(bodyIn(await send(person, 'get', `${path}/${id}`))).toMatchObject({ name: made.name });
    expect(bodyIn(await send(person, 'get', path))).toHaveLength(1);
  });

  test('what is wrong is refused, each member by its name, and nothing is written', async () => {
    const person = await seedPerson(auth);
    const { id } = await create(person, { name: 'First' });
    const bad = { name: 'a'.repeat(2_001), disabled: 'maybe', nonsense: 1, sealed_client_secret: 'x', account_id: 'y' };
    const named = ['name', 'nonsense', 'sealed_client_secret', 'account_id'];
    for (const [method, address, body] of [
      ['post', path, { ...made, ...bad }],
      ['patch', `${path}/${id}`, bad],
    ] as const) {
      const response = await send(person, method, address, body);
      const { message, errors } = bodyIn(response) as { message: string; errors: [string, string][] };
      expect([response.status, message]).toEqual([422, 'Validation Failed']);
      expect(errors.map(([field]) => field)).toEqual(expect.arrayContaining([...named, 'disabled']));
      expect(Object.fromEntries(errors)).toMatchObject({
        name: expect.stringMatching(/^Name is too long \(at most \d+ characters\)$/) as string,
        disabled: 'Disabled is not true or false',
        nonsense: 'Unknown member',
      });
    }
    for (const name of [7, [], {}, null, ' ', true])
      expect(bodyIn(await send(person, 'patch', `${path}/${id}`, { name }))).toMatchObject({
        errors: [['name', expect.stringMatching(/^Name is (required|not a text)$/) as string]],
      });
    expect(bodyIn(await send(person, 'post', path, {}))).toMatchObject({
      errors: expect.arrayContaining([['name', 'Name is required']]) as unknown,
    });
    // What is missing is among all other faults.
    const { name: _missing, ...others } = made;
    expect(bodyIn(await send(person, 'post', path, { ...others, nonsense: 1 }))).toMatchObject({
      errors: [
        ['name', 'Name is required'],
        ['nonsense', 'Unknown member'],
      ],
    });
    const headers = await headersOf(auth, person);
    await auth.http.post(path).set(headers).type('form').send('name=x').expect(415);
    await auth.http.post(path).set(headers).type('json').send('[').expect(400);
    await auth.http.patch(`${path}/${id}?fields=secret`).set(headers).send(change).expect(400);
    expect(bodyIn(await send(person, 'get', path))).toMatchObject([{ name: 'First' }]);
  });

  test('of two at once with a name one is refused', async () => {
    const person = await seedPerson(auth);
    const both = await Promise.all([send(person, 'post', path, made), send(person, 'post', path, made)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect(both.map(bodyIn)).toContainEqual({
      message: 'Validation Failed',
      errors: [['name', 'Name is already taken']],
    });
  });

  test('If-Match: what another has changed meanwhile is not overwritten, also of two at once', async () => {
    const person = await seedPerson(auth);
    const { id } = await create(person);
    const address = `${path}/${id}`;
    const tag = (await send(person, 'get', address)).get('ETag') ?? '';
    const match = { 'If-Match': tag };
    expect((await send(person, 'patch', address, change, match)).status).toBe(200);
    expect((await send(person, 'patch', address, { name: 'Late' }, match)).status).toBe(412);
    const next = { 'If-Match': (await send(person, 'get', address)).get('ETag') ?? '' };
    const names = Array.from({ length: 5 }, (_none, index) => `At once ${index}`);
    const all = await Promise.all(names.map((name) => send(person, 'patch', address, { name }, next)));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412]);
    expect((await send(person, 'patch', address, { name: 'Any' }, { 'If-Match': '*' })).status).toBe(200);
  });
});

test('a secret that is written is never shown, and another one has another tag', async () => {
  const person = await seedPerson(auth);
  const body = { ...provider, client_secret: 'a secret at the provider' };
  const made = await send(person, 'post', '/v1/sso_configurations', body);
  expect(bodyIn(made)).toMatchObject({ has_client_secret: true });
  const address = `/v1/sso_configurations/${String((bodyIn(made) as Body)['id'])}`;
  const match = { 'If-Match': (await send(person, 'get', address)).get('ETag') ?? '' };
  const changed = await send(person, 'patch', address, { client_secret: 'another one' });
  expect(JSON.stringify([made.body, changed.body])).not.toMatch(/secret at|another one|sealed/);
  const stored = await auth.connection.collection('sso_configurations').find().toArray();
  expect(JSON.stringify(stored)).not.toMatch(/secret at|another one/);
  expect((await send(person, 'patch', address, { name: 'Late' }, match)).status).toBe(412);
  const cleared = await send(person, 'patch', address, { client_secret: '' });
  expect(bodyIn(cleared)).toMatchObject({ has_client_secret: false });
  expect((await send(person, 'delete', address)).status).toBe(405);
});

test('a secret is kept for the issuer that it was given for, and for no other', async () => {
  const person = await seedPerson(auth);
  const made = await send(person, 'post', '/v1/sso_configurations', { ...provider, client_secret: 'a secret' });
  const address = `/v1/sso_configurations/${String((bodyIn(made) as Body)['id'])}`;
  const change = async (body: object) => bodyIn(await send(person, 'patch', address, body));
  expect(await change({ name: 'Renamed', issuer: provider.issuer })).toMatchObject({ has_client_secret: true });
  const moved = { issuer: 'https://other.example/', has_client_secret: false };
  expect(await change({ issuer: moved.issuer })).toMatchObject(moved);
  const both = { issuer: 'https://third.example/', client_secret: 'another' };
  expect(await change(both)).toMatchObject({ issuer: both.issuer, has_client_secret: true });
});

test('a configuration of the directory account is shown, and not changed', async () => {
  const [person, parent] = [await seedPerson(auth), await seedPerson(auth)];
  const { accountId: id } = person;
  await auth.app.operator.ensureAccount({ id, name: 'North', directoryAccountId: parent.accountId });
  const address = `/v1/sso_configurations/${String((bodyIn(await send(parent, 'post', '/v1/sso_configurations', provider)) as Body)['id'])}`;
  expect((await send(person, 'get', address)).status).toBe(200);
  expect((await send(person, 'patch', address, { name: 'Mine' })).status).toBe(404);
});

const applications = '/v1/oauth_applications';
const makeShop = async (person: SeededPerson, more: object = {}) => {
  const made = bodyIn(await send(person, 'post', applications, { ...shop, ...more })) as Body;
  return { made, address: `${applications}/${String(made['id'])}` };
};

test('an application has the defaults of a new one, and every setting by its own name', async () => {
  const person = await seedPerson(auth);
  const sso = bodyIn(await send(person, 'post', '/v1/sso_configurations', provider)) as Body;
  const settings = {
    grant_types: ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange'],
    sso_configuration_id: sso['id'],
    audience: 'shop',
    acts_as_person_id: String(person.id),
    pkce_required: 'true',
  };
  const { made, address } = await makeShop(person);
  expect(made).toMatchObject({ description: '', homepage: null, pkce_required: true, disabled: false, tokens: [] });
  const changed = await send(person, 'patch', address, { ...settings, disabled: 'true' });
  expect(bodyIn(changed)).toMatchObject({
    grant_types: settings.grant_types,
    sso_configuration: { id: sso['id'], name: 'Provider' },
    audience: 'shop',
    acts_as_person: { id: person.id },
    disabled: true,
  });
  const headers = await headersOf(auth, person, { scopes: [{ effect: 'allow', actions: ['oauth-application:*'] }] });
  const { body } = await auth.http.get(address).set(headers).expect(200);
  expect(body).toMatchObject({ acts_as_person: null });
});

test.each<[string, object, string, string]>([
  [
    'one of several redirect URIs',
    { redirect_uris: ['https://a.example/', 'ftp://b'] },
    'redirect_uris.1',
    'Redirect URI must be https',
  ],
  [
    'more grant types than there are',
    { grant_types: Array(51).fill('none') },
    'grant_types',
    'Grant types must be at most 50',
  ],
  ['what the grant type needs', { redirect_uris: [] }, 'redirect_uris', 'Redirect URIs are required for the'],
  ['an action', { scopes: [{ effect: 'allow', actions: ['Request.read'] }] }, 'scopes.0.actions.0', ''],
  ['a member of a scope', { scopes: [{ effect: 'allow', actions: ['*:*'], x: 1 }] }, 'scopes.0.x', 'Unknown member'],
  ['no scopes', { scopes: '' }, 'scopes', 'Scopes are required'],
  [
    'an unknown configuration',
    { sso_configuration_id: 4_711 },
    'sso_configuration_id',
    'Identity provider was not found',
  ],
  ['an unknown person', { acts_as_person_id: 'x' }, 'acts_as_person_id', 'Person to act as was not found'],
  ['a private key', { jwks: '{"keys":[{"kty":"oct","k":"eA"}]}' }, 'jwks', 'JWKS must be public'],
  [
    'both kinds of keys',
    { jwks_uri: 'https://a.example/', private_key_jwt_required: 3 },
    'private_key_jwt_required',
    'Require private_key_jwt is not true or false',
  ],
  ['a null', { pkce_required: null }, 'pkce_required', 'Require PKCE is not true or false'],
  ['an address without https', { jwks_uri: 'http://a.example/' }, 'jwks_uri', 'JWKS URI is not a valid https address'],
])('%s is refused at its path', async (_what, more, path, text) => {
  const person = await seedPerson(auth);
  const refusal = { message: 'Validation Failed', errors: [[path, expect.stringContaining(text)]] };
  expect(bodyIn(await send(person, 'post', applications, { ...shop, ...more }))).toEqual(refusal);
  const { address } = await makeShop(person);
  expect(bodyIn(await send(person, 'patch', address, more))).toEqual(refusal);
});

test('a new application is enabled, and no token makes one that may do more', async () => {
  const person = await seedPerson(auth);
  expect(bodyIn(await send(person, 'post', applications, { ...shop, disabled: true }))).toMatchObject({
    errors: [['disabled', 'Disabled cannot be given for a new one']],
  });
  const scopes = [{ effect: 'allow' as const, actions: ['oauth-application:*'] }];
  const headers = await headersOf(auth, person, { scopes });
  const message = 'The application may do more than the token of this call';
  await auth.http.post(applications).set(headers).send(shop).expect(403, { message });
  expect(bodyIn(await send(person, 'get', applications))).toEqual([]);
});

test('an application is deleted once, and only in the state that the caller knows', async () => {
  const [person, stranger] = [await seedPerson(auth), await seedPerson(auth)];
  const { address } = await makeShop(person);
  const stale = { 'If-Match': (await send(person, 'get', address)).get('ETag') ?? '' };
  await send(person, 'patch', address, { name: 'Other' });
  expect((await send(person, 'delete', address, undefined, stale)).status).toBe(412);
  expect((await send(stranger, 'delete', address)).status).toBe(404);
  const blind = await headersOf(auth, person, { scopes: [{ effect: 'allow', actions: ['oauth-application:Update'] }] });
  await auth.http.delete(address).set(blind).expect(403);
  const match = { 'If-Match': (await send(person, 'get', address)).get('ETag') ?? '' };
  expect((await send(person, 'delete', address, undefined, match)).status).toBe(204);
  expect((await send(person, 'delete', address, undefined, match)).status).toBe(404);
  expect((await send(person, 'get', address)).status).toBe(404);
});

test('a document of an earlier release is read, compared and changed as what it stood for', async () => {
  const person = await seedPerson(auth);
  const { made, address } = await makeShop(person);
  const absent = ['homepage', 'pkceRequired', 'jwks', 'jwksUri', 'privateKeyJwtRequired', 'enabledAt', 'audience'];
  const stored = auth.connection.collection<{ _id: number }>('applications');
  const $unset = Object.fromEntries(absent.map((name) => [name, true as const]));
  await stored.updateOne({ _id: Number(made['id']) }, { $unset });
  const read = await send(person, 'get', address);
  expect(bodyIn(read)).toEqual({ ...made, pkce_required: false });
  const match = { 'If-Match': read.get('ETag') ?? '' };
  const changed = await send(person, 'patch', address, { name: 'Other' }, match);
  expect(bodyIn(changed)).toEqual({ ...made, name: 'Other', pkce_required: false });
  expect((await send(person, 'delete', address, undefined, match)).status).toBe(412);
});

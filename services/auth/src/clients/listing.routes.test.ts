import { expectWhole } from '@itsm/shared/testing/whole-record';
import { accountType } from '../directory/account';
import { call, headersOf, nodeId } from '../testing/caller';
import { bodyIn } from '../testing/client';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { baseUrl, seedApplication, seedPerson, startStore } from '../testing/start-auth';
import { applicationType } from './application';
import { ssoConfigurationType } from './sso-configuration';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

type Rows = Record<string, unknown>[];

async function read(person: SeededPerson, path: string, status = 200): Promise<unknown> {
  return bodyIn(
    await auth.http
      .get(path)
      .set(await headersOf(auth, person))
      .expect(status),
  );
}
const namesAt = async (person: SeededPerson, path: string) =>
  ((await read(person, path)) as Rows).map(({ name }) => name);

const trust = async (person: SeededPerson, other: SeededPerson, as: string) => {
  const input = `trusts: [{ accountID: "${other.accountId}", as: ${as} }]`;
  const { data } = await call(auth, person, `mutation { accountUpdate(input: { ${input} }) { errors { message } } }`);
  expect(data).toEqual({ accountUpdate: { errors: [] } });
};

const sso = (accountId: string, name: string) =>
  auth.app.services.ssoConfigurations.create(accountId, {
    name,
    issuer: `https://${name.toLowerCase()}.idp.example`,
    identifier: 'primary_email',
    clientId: 'ours',
    clientSecret: 'a secret at the provider',
  });

/** Creates an account and its directory account, each with applications and configurations, and an unrelated account. */
async function seed() {
  const parent = await seedPerson(auth);
  const person = await seedPerson(auth);
  const stranger = await seedPerson(auth);
  const { operator } = auth.app;
  await operator.ensureAccount({ id: parent.accountId, name: 'Widgets' });
  await operator.ensureAccount({ id: person.accountId, name: 'Widgets North', directoryAccountId: parent.accountId });
  const application = await seedApplication(auth, person.accountId, { name: 'Reports' });
  for (const name of ['Chat', 'Backup']) await seedApplication(auth, person.accountId, { name });
  const foreign = await seedApplication(auth, stranger.accountId, { name: 'Foreign' });
  const configuration = await sso(person.accountId, 'Okapi');
  const ofParent = await sso(parent.accountId, 'Zebra');
  const ofStranger = await sso(stranger.accountId, 'Foreign');
  return { parent, person, stranger, application, foreign, configuration, ofParent, ofStranger };
}

test('the three lists have pages, an order, a choice of fields and filters', async () => {
  const { person } = await seed();
  for (const [path, all] of [
    ['/v1/accounts', ['Widgets', 'Widgets North']],
    ['/v1/oauth_applications', ['Backup', 'Chat', 'Reports']],
    ['/v1/sso_configurations', ['Okapi', 'Zebra']],
  ] as const) {
    expect(await namesAt(person, `${path}?sort=name`)).toEqual(all);
    expect(await namesAt(person, `${path}?sort=-name`)).toEqual(all.toReversed());
    const headers = await headersOf(auth, person);
    const first = await auth.http.get(`${path}?sort=name&per_page=1&fields=name`).set(headers).expect(200);
    expect(Object.keys((bodyIn(first) as Rows)[0] ?? {})).toEqual(['id', 'name']);
    expect(first.headers).toMatchObject({ 'x-pagination-total-entries': String(all.length) });
    const next = /<([^>]+)>; rel="next"/.exec(first.get('Link') ?? '')?.[1] ?? '';
    expect(next.startsWith(`${baseUrl}${path}?`)).toBe(true);
    expect(await namesAt(person, next)).toEqual([all[1]]);
    expect(await namesAt(person, `${path}?name=${encodeURIComponent(all[0])}`)).toEqual([all[0]]);
    expect((await namesAt(person, `${path}?disabled=false`)).sort()).toEqual(all);
    expect(await namesAt(person, `${path}?disabled=true`)).toEqual([]);
    const [one] = (await read(person, `${path}?sort=name`)) as Rows;
    expect(await namesAt(person, `${path}?id=${String(one?.['id'])}`)).toEqual([all[0]]);
  }
});

test('an account shows its directory account and trusts, and others only as far as they are visible', async () => {
  const { person, parent, stranger } = await seed();
  const own = { id: person.accountId, name: 'Widgets North' };
  await trust(person, stranger, 'provider');
  for (const id of [own.id, nodeId('Account', own.id)])
    expectWhole(accountType, await read(person, `/v1/accounts/${id}`), {
      ...own,
      nodeID: nodeId('Account', own.id),
      custom_url: null,
      directory_account: { id: parent.accountId, name: 'Widgets' },
      trusts: [{ account_id: stranger.accountId, as: 'provider', mutual: false }],
      second_factor_required: false,
      disabled: false,
    });
  for (const path of ['/v1/account', '/v1/account/'])
    expect(await read(person, path)).toEqual(await read(person, `/v1/accounts/${own.id}`));
  expect(await read(person, '/v1/account?fields=name')).toEqual(own);
  expect(await read(person, '/v1/account?name=x', 400)).toEqual({ message: 'Filtering not allowed on fields: name' });
  expect(await read(person, '/v1/account?fields=password', 400)).toEqual({ message: 'Unknown fields: password' });
  await read(person, `/v1/account/${own.id}`, 404);
  await read(person, `/v1/accounts/${stranger.accountId}`, 404);
  expect(await read(parent, `/v1/accounts/${own.id}`)).toMatchObject({
    ...own,
    trusts: [],
    second_factor_required: null,
  });
  await trust(stranger, person, 'customer');
  expect(await read(person, `/v1/accounts/${own.id}`)).toMatchObject({ trusts: [{ mutual: true }] });
  // A partner is visible, but its directory account is not visible from it.
  expect(await read(stranger, `/v1/accounts/${own.id}`)).toMatchObject({ ...own, directory_account: null, trusts: [] });
});

test('an application is found by number and by node id, with every field and without its secrets', async () => {
  const { person, application, configuration } = await seed();
  await auth.app.services.applications.update(
    person.accountId,
    [{ effect: 'allow', actions: ['*:*'] }],
    application.id,
    {
      ssoConfigurationId: configuration.id,
      audience: 'reports',
      actsAsPersonId: person.id,
    },
  );
  for (const id of [application.id, nodeId('OAuthApplication', application.id)])
    expectWhole(applicationType, await read(person, `/v1/oauth_applications/${id}`), {
      id: application.id,
      nodeID: nodeId('OAuthApplication', application.id),
      name: 'Reports',
      description: '',
      homepage: null,
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: ['https://client.example/callback'],
      scopes: [{ effect: 'allow', actions: ['me:Name', 'person:Read'], account: null }],
      sso_configuration: { id: configuration.id, name: 'Okapi' },
      audience: 'reports',
      acts_as_person: { id: person.id, name: 'Ellen Brown' },
      pkce_required: false,
      jwks: null,
      jwks_uri: null,
      private_key_jwt_required: false,
      disabled: false,
      tokens: [
        {
          client_id: application.clientId,
          name: null,
          disabled: false,
          created_at: expect.stringMatching(/Z$/) as string,
          last_used_at: null,
        },
      ],
      source: null,
      sourceID: null,
      created_at: expect.stringMatching(/Z$/) as string,
      updated_at: expect.stringMatching(/Z$/) as string,
    });
  const text = JSON.stringify(await read(person, '/v1/oauth_applications?fields=*'));
  expect(text).not.toContain(application.clientSecret);
  expect(text).not.toMatch(/secret|digest/i);
  const blind = await headersOf(auth, person, { scopes: [{ effect: 'allow', actions: ['oauth-application:Read'] }] });
  const { body } = await auth.http.get(`/v1/oauth_applications/${application.id}`).set(blind).expect(200);
  expect(body).toMatchObject({ acts_as_person: null });
});

test('an SSO configuration of the account or of its directory account is shown without its secret', async () => {
  const { person, parent, ofParent } = await seed();
  for (const id of [ofParent.id, nodeId('SsoConfiguration', ofParent.id)])
    expectWhole(ssoConfigurationType, await read(person, `/v1/sso_configurations/${id}`), {
      id: ofParent.id,
      nodeID: nodeId('SsoConfiguration', ofParent.id),
      name: 'Zebra',
      issuer: 'https://zebra.idp.example',
      identifier: 'primary_email',
      email_verified_required: true,
      redirect_uri: `${baseUrl}/oauth/sign-in/provider/${ofParent.id}/callback`,
      former_redirect_uri: false,
      client_id: 'ours',
      has_client_secret: true,
      account: { id: parent.accountId, name: 'Widgets' },
      disabled: false,
      source: null,
      sourceID: null,
      created_at: expect.stringMatching(/Z$/) as string,
      updated_at: expect.stringMatching(/Z$/) as string,
    });
  const text = JSON.stringify(await read(person, '/v1/sso_configurations?fields=*'));
  expect(text).not.toMatch(/a secret|sealed/);
  expect(await namesAt(person, '/v1/sso_configurations?created_at=<2020-01-01')).toEqual([]);
  expect(await namesAt(person, '/v1/sso_configurations?issuer=https://okapi.idp.example')).toEqual(['Okapi']);
});

test('nothing of another account is found', async () => {
  const { person, stranger, foreign, ofStranger } = await seed();
  for (const [path, ids] of [
    [
      '/v1/accounts',
      [stranger.accountId, nodeId('Account', stranger.accountId), nodeId('Person', person.id), 'a'.repeat(5_000)],
    ],
    [
      '/v1/oauth_applications',
      [
        foreign.id,
        nodeId('OAuthApplication', foreign.id),
        nodeId('Person', foreign.id),
        0,
        '1e3',
        '%00',
        'a'.repeat(5_000),
      ],
    ],
    [
      '/v1/sso_configurations',
      [
        ofStranger.id,
        nodeId('SsoConfiguration', ofStranger.id),
        nodeId('Person', ofStranger.id),
        'x',
        '9'.repeat(5_000),
      ],
    ],
  ] as const) {
    for (const id of ids) expect(await read(person, `${path}/${id}`, 404)).toEqual({ message: 'Not Found' });
    expect(await namesAt(person, `${path}?per_page=100`)).not.toContain('Foreign');
    expect(await namesAt(person, `${path}?id=${ids[0]}`)).toEqual([]);
  }
});

const manyIds = Array.from({ length: 101 }, (_, index) => index).join();

test.each([
  ['/v1/accounts?per_page=0', 'per_page must be an integer from 1 to 100'],
  ['/v1/accounts?sort=custom_url', 'Sorting not allowed on fields: custom_url'],
  ['/v1/accounts?disabled=maybe', 'disabled must be a boolean, not maybe'],
  [`/v1/accounts?id=${manyIds}`, 'id cannot be filtered by more than 100 values'],
  ['/v1/oauth_applications?fields=secretDigest', 'Unknown fields: secretDigest'],
  ['/v1/oauth_applications?id=reports', 'id must be an integer, not reports'],
  ['/v1/oauth_applications?tokens=x', 'Filtering not allowed on fields: tokens'],
  ['/v1/oauth_applications/1?sort=name', 'Filtering not allowed on fields: sort'],
  ['/v1/sso_configurations?created_at=yesterday', 'created_at must be a time, not yesterday'],
  ['/v1/sso_configurations?sealedClientSecret=x', 'Filtering not allowed on fields: sealedClientSecret'],
])('%s is refused', async (path, message) => {
  expect(await read(await seedPerson(auth), path, 400)).toEqual({ message });
});

const allowed: Readonly<Record<string, string>> = {
  '/v1/accounts/:id': 'GET, HEAD, PATCH, PUT',
  '/v1/oauth_applications': 'GET, HEAD, POST',
  '/v1/oauth_applications/:id': 'GET, HEAD, PATCH, PUT, DELETE',
  '/v1/sso_configurations': 'GET, HEAD, POST',
  '/v1/sso_configurations/:id': 'GET, HEAD, PATCH, PUT',
};

test('a call needs a caller, an account of theirs, the scope and, for settings, the role', async () => {
  const { person, stranger, application, configuration } = await seed();
  const colleague = await seedPerson(auth, { accountId: person.accountId, roles: ['specialist'] });
  const { Authorization } = await headersOf(auth, person);
  for (const [path, action, isForAll] of [
    [`/v1/accounts/${person.accountId}`, 'account:Read', true],
    ['/v1/account', 'account:Read', true],
    ['/v1/accounts', 'account:Read', true],
    ['/v1/people/support_domain', 'person:Read', true],
    ['/v1/oauth_applications/enabled', 'oauth-application:Read', false],
    ['/v1/sso_configurations/disabled', 'sso-configuration:Read', false],
    ['/v1/oauth_applications', 'oauth-application:Read', false],
    [`/v1/oauth_applications/${application.id}`, 'oauth-application:Read', false],
    ['/v1/sso_configurations', 'sso-configuration:Read', false],
    [`/v1/sso_configurations/${configuration.id}`, 'sso-configuration:Read', false],
  ] as const) {
    const get = (headers: Record<string, string>) => auth.http.get(path).set(headers);
    await get({}).expect(401, { message: 'Unauthorized' });
    await get({ Authorization: 'Bearer a.b.c', 'X-Service-Account': person.accountId }).expect(401);
    await get({ Authorization }).expect(400, { message: 'Missing X-Service-Account header' });
    await get({ Authorization, 'X-Service-Account': stranger.accountId }).expect(403, { message: 'Forbidden' });
    const scopes = [{ effect: 'allow' as const, actions: ['request:Read', 'me:All'] }];
    const missing = { message: `Missing required scope(s): ${action}` };
    await get(await headersOf(auth, person, { scopes })).expect(403, missing);
    const enough = [{ effect: 'allow' as const, actions: [action] }];
    await get(await headersOf(auth, person, { scopes: enough })).expect(200);
    await get(await headersOf(auth, colleague)).expect(isForAll ? 200 : 403);
    await auth.http
      .trace(path)
      .set(await headersOf(auth, person))
      .expect(405)
      .expect('Allow', allowed[path.replace(/\/(\d+|a[\da-f]{10})$/, '/:id')] ?? 'GET, HEAD');
  }
});

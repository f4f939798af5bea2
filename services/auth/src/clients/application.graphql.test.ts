import { allowedAction } from '@itsm/shared/api/identity/allow';
import { obtainCode, openSignedIn } from '../testing/browser';
import { introspect, pairIn, redeem } from '../testing/client';
import { callGraph, nodeId } from '../testing/graphql';
import type { Answer } from '../testing/graphql';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { callback, everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

const fields =
  'id name description homepage grantTypes redirectUris audience pkceRequired disabled scopes { effect actions account } ssoConfiguration { id name } actsAsPerson { id name } tokens { id clientId disabled }';
const createText = `mutation ($input: OAuthApplicationCreateInput!) { oauthApplicationCreate(input: $input) { oauthApplication { ${fields} } errors { message path } clientMutationId } }`;
const updateText = `mutation ($input: OAuthApplicationUpdateInput!) { oauthApplicationUpdate(input: $input) { oauthApplication { ${fields} } errors { message path } clientMutationId } }`;
const scopes = [{ effect: 'allow', actions: ['me:Name', 'request:Read'] }];
const input = { name: 'Reporting', scopes, redirectUris: [callback] };

interface Payload {
  readonly oauthApplication: { readonly id: string; readonly [field: string]: unknown } | null;
  readonly errors: readonly { readonly message: string; readonly path: readonly string[] }[];
}
const payloadIn = ({ data }: Answer): Payload => Object.values(data ?? {})[0] as Payload;

const create = async (person: SeededPerson, more: object = {}) =>
  payloadIn(await callGraph(auth, person, createText, { input: { ...input, ...more } }));
const update = async (person: SeededPerson, changes: object) =>
  payloadIn(await callGraph(auth, person, updateText, { input: changes }));
const idIn = ({ oauthApplication }: Payload): string => oauthApplication?.id ?? 'none';

const provider = { name: 'Login', issuer: 'https://idp.example', identifier: 'primary_email' } as const;

test('an application is created with the given values and defaults for the rest', async () => {
  const person = await seedPerson(auth);
  const answer = await callGraph(auth, person, createText, { input: { ...input, clientMutationId: 'a1' } });
  expect(answer).toEqual({
    data: {
      oauthApplicationCreate: {
        oauthApplication: {
          id: expect.any(String) as string,
          name: 'Reporting',
          description: '',
          homepage: null,
          grantTypes: ['authorization_code', 'refresh_token'],
          redirectUris: [callback],
          audience: null,
          pkceRequired: true,
          disabled: false,
          scopes: [{ ...scopes[0], account: null }],
          ssoConfiguration: null,
          actsAsPerson: null,
          tokens: [],
        },
        errors: [],
        clientMutationId: 'a1',
      },
    },
  });
});

test('every setting can be changed, alone and together', async () => {
  const person = await seedPerson(auth);
  const id = idIn(await create(person));
  const sso = await auth.app.services.ssoConfigurations.create(person.accountId, provider);
  const changes = {
    name: 'Renamed',
    description: 'Nightly figures',
    homepage: 'https://reporting.example/',
    grantTypes: ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange'],
    redirectUris: [],
    audience: 'reporting',
    pkceRequired: true,
  };
  const links = { ssoConfigurationId: nodeId('SsoConfiguration', sso.id), actsAsPersonId: nodeId('Person', person.id) };
  const { oauthApplication, errors } = await update(person, { id, ...changes, ...links });
  expect(errors).toEqual([]);
  expect(oauthApplication).toMatchObject({
    ...changes,
    ssoConfiguration: { id: links.ssoConfigurationId, name: 'Login' },
    actsAsPerson: { id: links.actsAsPersonId, name: 'Ellen Brown' },
  });
  expect((await update(person, { id, description: '' })).oauthApplication).toMatchObject({
    ...changes,
    description: '',
  });
});

const long = (length: number): string => 'x'.repeat(length);
test.each<[string, object, string]>([
  ['no name', { name: '  ' }, 'name'],
  ['a name that is too long', { name: long(81) }, 'name'],
  ['a name that writes backwards', { name: 'a\u202eb' }, 'name'],
  ['a description that is too long', { description: long(2001) }, 'description'],
  ['a homepage without https', { homepage: 'http://a.example' }, 'homepage'],
  ['a homepage that runs', { homepage: 'javascript:alert(1)' }, 'homepage'],
  ['no grant type', { grantTypes: [] }, 'grantTypes'],
  ['an unknown grant type', { grantTypes: ['password'] }, 'grantTypes'],
  ['refresh tokens of nothing', { grantTypes: ['refresh_token'] }, 'grantTypes'],
  ['a code without a place to go', { redirectUris: [] }, 'redirectUris'],
  ['a redirect URI with a fragment', { redirectUris: ['https://a.example/#x'] }, 'redirectUris'],
  ['a redirect URI over http', { redirectUris: ['http://a.example/'] }, 'redirectUris'],
  ['a redirect URI of a scheme that is not an own one', { redirectUris: ['myapp:/cb'] }, 'redirectUris'],
  ['a redirect URI that is too long', { redirectUris: [`https://a.example/${long(1000)}`] }, 'redirectUris'],
  [
    'too many redirect URIs',
    { redirectUris: Array.from({ length: 21 }, (_none, at) => `https://a.example/${at}`) },
    'redirectUris',
  ],
  ['no scopes', { scopes: [] }, 'scopes'],
  ['a scope without action', { scopes: [{ effect: 'allow', actions: [] }] }, 'scopes'],
  ['a scope with a malformed action', { scopes: [{ effect: 'allow', actions: ['Request.read'] }] }, 'scopes'],
  ['a scope with a long account', { scopes: [{ ...scopes[0], account: long(81) }] }, 'scopes'],
  ['credentials of nobody', { grantTypes: ['client_credentials'] }, 'actsAsPersonId'],
  [
    'an exchange without provider',
    { grantTypes: ['urn:ietf:params:oauth:grant-type:token-exchange'], audience: 'x' },
    'ssoConfigurationId',
  ],
  ['an audience that is too long', { audience: long(256) }, 'audience'],
  ['an SSO configuration that is none', { ssoConfigurationId: 'nonsense' }, 'ssoConfigurationId'],
  ['a person of another type', { actsAsPersonId: nodeId('Account', 1) }, 'actsAsPersonId'],
])('%s is refused with the path of the member', async (_what, more, field) => {
  const person = await seedPerson(auth);
  const refused = await create(person, more);
  expect(refused.oauthApplication).toBeNull();
  expect(refused.errors.map(({ path }) => path[0])).toEqual([field]);
  const id = idIn(await create(person));
  expect((await update(person, { id, ...more })).errors.map(({ path }) => path[0])).toEqual([field]);
});

test('names are unique in an account, also for concurrent calls', async () => {
  const [person, stranger] = [await seedPerson(auth), await seedPerson(auth)];
  const both = await Promise.all([create(person), create(person)]);
  expect(both.filter(({ oauthApplication }) => oauthApplication)).toHaveLength(1);
  expect(both.flatMap(({ errors }) => errors)).toEqual([{ message: 'Name is already taken', path: ['name'] }]);
  const other = idIn(await create(person, { name: 'Other' }));
  expect((await update(person, { id: other, name: 'Reporting' })).errors).toEqual([
    { message: 'Name is already taken', path: ['name'] },
  ]);
  expect((await create(stranger)).errors).toEqual([]);
});

test('two concurrent changes are both kept', async () => {
  const person = await seedPerson(auth);
  const id = idIn(await create(person));
  await Promise.all([update(person, { id, description: 'One' }), update(person, { id, pkceRequired: true })]);
  expect((await update(person, { id, homepage: null })).oauthApplication).toMatchObject({
    description: 'One',
    pkceRequired: true,
  });
});

test('another account finds nothing, changes nothing and links nothing', async () => {
  const [person, stranger] = [await seedPerson(auth), await seedPerson(auth)];
  const id = idIn(await create(person));
  const text = `query ($id: ID!, $references: [_Any!]!) { oauthApplication(id: $id) { name } oauthApplications(first: 9) { totalCount nodes { name } }
    _entities(representations: $references) { ... on OAuthApplication { name } } }`;
  const references = [{ __typename: 'OAuthApplication', id }];
  expect((await callGraph(auth, stranger, text, { id, references })).data).toEqual({
    oauthApplication: null,
    oauthApplications: { totalCount: 0, nodes: [] },
    _entities: [null],
  });
  expect((await callGraph(auth, person, text, { id, references })).data).toEqual({
    oauthApplication: { name: 'Reporting' },
    oauthApplications: { totalCount: 1, nodes: [{ name: 'Reporting' }] },
    _entities: [{ name: 'Reporting' }],
  });
  const { errors } = await callGraph(auth, stranger, updateText, { input: { id, name: 'Mine' } });
  expect(errors).toMatchObject([{ message: 'Not Found', extensions: { code: 'NOT_FOUND' } }]);
  const theirs = await auth.app.services.ssoConfigurations.create(stranger.accountId, provider);
  const links = [
    { ssoConfigurationId: nodeId('SsoConfiguration', theirs.id) },
    { actsAsPersonId: nodeId('Person', stranger.id) },
  ];
  for (const link of links) {
    expect((await update(person, { id, ...link })).errors.map(({ path }) => path)).toEqual([Object.keys(link)]);
  }
});

test('a malformed, unknown or foreign id is not found', async () => {
  const person = await seedPerson(auth);
  for (const id of ['nonsense', nodeId('Person', person.id), nodeId('OAuthApplication', 987_654)]) {
    const { errors } = await callGraph(auth, person, updateText, { input: { id, name: 'x' } });
    expect(errors).toMatchObject([{ message: 'Not Found', extensions: { code: 'NOT_FOUND' } }]);
  }
});

test('the list goes page by page', async () => {
  const person = await seedPerson(auth);
  for (const name of ['One', 'Two', 'Three']) await create(person, { name });
  const page = async (args: string) => {
    const text = `{ oauthApplications(${args}) { nodes { name } pageInfo { endCursor hasNextPage } } }`;
    const { data } = await callGraph(auth, person, text);
    return data?.['oauthApplications'] as { nodes: unknown; pageInfo: { endCursor: string; hasNextPage: boolean } };
  };
  const first = await page('first: 2');
  expect(first).toMatchObject({ nodes: [{ name: 'One' }, { name: 'Two' }], pageInfo: { hasNextPage: true } });
  const second = await page(`first: 2, after: "${first.pageInfo.endCursor}"`);
  expect(second).toMatchObject({ nodes: [{ name: 'Three' }], pageInfo: { hasNextPage: false } });
  expect(await page('last: 1')).toMatchObject({ nodes: [{ name: 'Three' }] });
});

const operations: [string, string, object, string][] = [
  ['oauthApplications', '{ oauthApplications(first: 1) { totalCount } }', {}, 'oauth-application:Read'],
  ['oauthApplication', '{ oauthApplication(id: "x") { name } }', {}, 'oauth-application:Read'],
  ['oauthApplicationCreate', createText, { input }, 'oauth-application:Create'],
  ['oauthApplicationUpdate', updateText, { input: { id: 'x' } }, 'oauth-application:Update'],
  [
    'oauthApplicationTokenCreate',
    'mutation { oauthApplicationTokenCreate(input: { applicationId: "x" }) { clientSecret } }',
    {},
    'oauth-application:Update',
  ],
  [
    'oauthApplicationTokenUpdate',
    'mutation { oauthApplicationTokenUpdate(input: { id: "x", disabled: true }) { clientMutationId } }',
    {},
    'oauth-application:Update',
  ],
  [
    'oauthApplicationTokenDelete',
    'mutation { oauthApplicationTokenDelete(input: { id: "x" }) { clientMutationId } }',
    {},
    'oauth-application:Update',
  ],
  ['ssoConfigurations', '{ ssoConfigurations(first: 1) { totalCount } }', {}, 'sso-configuration:Read'],
  [
    'ssoConfigurationCreate',
    'mutation { ssoConfigurationCreate(input: { name: "x", issuer: "https://a.example", identifier: primary_email }) { clientMutationId } }',
    {},
    'sso-configuration:Create',
  ],
  [
    'ssoConfigurationUpdate',
    'mutation { ssoConfigurationUpdate(input: { id: "x" }) { clientMutationId } }',
    {},
    'sso-configuration:Update',
  ],
];

test.each(operations)('%s needs its scope and an account administrator', async (field, text, variables, action) => {
  const person = await seedPerson(auth);
  const other = [{ effect: 'allow' as const, actions: ['request:*', 'person:All'] }];
  const scopeless = await callGraph(auth, person, text, variables, { scopes: other });
  expect(scopeless).toMatchObject({
    data: { [field]: null },
    errors: [{ message: `Missing required scope(s): ${action}`, extensions: { code: 'FORBIDDEN' } }],
  });
  const specialist = await seedPerson(auth, { accountId: person.accountId, roles: ['specialist'] });
  expect(await callGraph(auth, specialist, text, variables)).toMatchObject({
    data: { [field]: null },
    errors: [{ message: 'Forbidden', extensions: { code: 'FORBIDDEN' } }],
  });
  const { accountId } = await seedPerson(auth);
  expect(await callGraph(auth, person, text, variables, { accountId })).toEqual({ message: 'Forbidden' });
});

test('every root field names its action', () => {
  const { resolvers } = auth.app;
  const roots = { ...resolvers['Query'], ...resolvers['Mutation'] };
  expect(Object.keys(roots).length).toBeGreaterThan(operations.length);
  for (const resolver of Object.values(roots)) expect(allowedAction(resolver as object)).toMatch(/^[\w-]+:\w+$/);
});

test('a token cannot give an application more than its own scopes, nor change one that has more, except to disable it', async () => {
  const person = await seedPerson(auth);
  const limited = [{ effect: 'allow' as const, actions: ['oauth-application:*', 'request:Read', 'me:Name'] }];
  const as = { scopes: limited };
  const refused = [{ message: 'The application may do more than the token of this call' }];
  const wide = { input: { ...input, name: 'Wide', scopes: everything } };
  expect(await callGraph(auth, person, createText, wide, as)).toMatchObject({ errors: refused });
  const narrow = payloadIn(await callGraph(auth, person, createText, { input }, as));
  expect(narrow.errors).toEqual([]);
  const widening = { input: { id: idIn(narrow), scopes: everything } };
  expect(await callGraph(auth, person, updateText, widening, as)).toMatchObject({ errors: refused });

  const powerful = idIn(await create(person, { name: 'Powerful', scopes: everything }));
  const secret = `mutation { oauthApplicationTokenCreate(input: { applicationId: "${powerful}" }) { clientSecret } }`;
  expect(await callGraph(auth, person, secret, {}, as)).toMatchObject({ errors: refused });
  const detour = { input: { id: powerful, redirectUris: ['https://evil.test/'] } };
  expect(await callGraph(auth, person, updateText, detour, as)).toMatchObject({ errors: refused });
  const stop = { input: { id: powerful, disabled: true } };
  expect(payloadIn(await callGraph(auth, person, updateText, stop, as)).oauthApplication).toMatchObject({
    disabled: true,
  });
});

test('other scopes revoke all tokens at once; equivalent scopes, or another name, revoke none', async () => {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId);
  const id = nodeId('OAuthApplication', application.id);
  const browser = await openSignedIn(auth, person);
  const { access_token } = pairIn(await redeem(auth, application, await obtainCode(browser, application)));
  await update(person, {
    id,
    name: 'Renamed',
    scopes: [
      { effect: 'allow', actions: ['person:Read'] },
      { effect: 'allow', actions: ['me:Name', 'person:Read'] },
    ],
  });
  expect(await introspect(auth, access_token)).toMatchObject({ active: true });
  await update(person, { id, scopes: [{ effect: 'allow', actions: ['person:Read'] }] });
  expect(await introspect(auth, access_token)).toEqual({ active: false });
});

import { allowedAction } from '@itsm/shared/api/identity/allow';
import { createAddresses } from '../webhooks/addresses';
import { accountUrl, startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { bodyOf, register } from '../testing/webhook-steps';
import { createPolicyResolvers } from './policy.resolvers';

let engines: Engines;
let service: Service;
beforeAll(async () => {
  engines = await startEngines();
  service = await startService(engines);
});
afterAll(async () => {
  await service.close();
  await engines.close();
});

const path = '/v1/webhook_policies';
let accounts = 0;
const newClient = () => service.as(`g${(accounts += 1)}`);
type Client = ReturnType<typeof newClient>;

const members =
  'id name jwtAlg jwtAudience jwtClaimExpiresIn keyRotationDays issuer accountIssuer disabled keys { kid signsFrom publishedUntil } source sourceID';
const tail = 'errors { message path } clientMutationId';
const create = `mutation ($input: WebhookPolicyCreateInput!) { webhookPolicyCreate(input: $input) {
  webhookPolicy { ${members} } publicKeyPem sharedSecret ${tail} } }`;
const update = `mutation ($input: WebhookPolicyUpdateInput!) { webhookPolicyUpdate(input: $input) { webhookPolicy { ${members} } ${tail} } }`;
const remove = `mutation ($input: WebhookPolicyDeleteInput!) { webhookPolicyDelete(input: $input) { webhookPolicy { name } ${tail} } }`;
const rotate = `mutation ($input: WebhookPolicyRotateInput!) { webhookPolicyRotate(input: $input) {
  webhookPolicy { keys { kid } } publicKeyPem sharedSecret ${tail} } }`;

interface Payload {
  readonly webhookPolicy: Record<string, unknown> & { id: string };
  readonly publicKeyPem: string | null;
  readonly sharedSecret: string | null;
}

/** The payload of the call's one root field. */
async function call(client: Client, query: string, input: object): Promise<Payload> {
  const { body } = await client.graphql(query, { input }).expect(200);
  const { data, errors } = body as { data: Record<string, Payload>; errors?: unknown };
  expect(errors).toBeUndefined();
  return Object.values(data)[0]!;
}

test('a policy without a name gets one, and the schema makes the name optional', async () => {
  const client = newClient();
  const made = [await call(client, create, {}), await call(client, create, { name: null })];
  const names = made.map(({ webhookPolicy }) => webhookPolicy['name']);
  expect(names).toEqual([expect.stringMatching(/^policy-[0-9a-f]{16}$/), expect.stringMatching(/^policy-/)]);
  expect(names[0]).not.toBe(names[1]);
});

test('policies are made, changed, given a new key and deleted as in REST', async () => {
  const client = newClient();
  const input = {
    name: 'p',
    jwtAlg: 'rs256',
    jwtAudience: 'me',
    jwtClaimExpiresIn: 5,
    keyRotationDays: 7,
    source: 'CMDB',
  };
  const made = await call(client, create, { ...input, clientMutationId: 'c1' });
  expect(made).toMatchObject({
    webhookPolicy: { ...input, disabled: false },
    sharedSecret: null,
    errors: [],
    clientMutationId: 'c1',
  });
  expect(made.publicKeyPem).toMatch(/^-----BEGIN PUBLIC KEY-----/);
  const { id } = made.webhookPolicy;
  const changes = { name: 'q', jwtAudience: null, jwtClaimExpiresIn: null, keyRotationDays: null, disabled: true };
  expect(await call(client, update, { id, ...changes })).toMatchObject({
    webhookPolicy: { ...changes, jwtAlg: 'rs256', source: 'CMDB' },
  });
  const rotated = await call(client, rotate, { id });
  expect(rotated.webhookPolicy['keys']).toHaveLength(2);
  expect(rotated.publicKeyPem).not.toBe(made.publicKeyPem);
  expect(await call(client, remove, { id })).toMatchObject({ webhookPolicy: { name: 'q' }, errors: [] });
  const gone = await client.graphql(update, { input: { id, name: 'x' } }).expect(200);
  expect(gone.body).toMatchObject({ errors: [{ message: 'Not Found' }] });
});

test('the key that verifies is readable: the one that signs now, also while the next is published', async () => {
  const account = `k${(accounts += 1)}`;
  const client = service.as(account);
  const made = await call(client, create, { name: 'p' });
  const { id } = made.webhookPolicy;
  const read = async () => {
    const { body } = await client
      .graphql('query ($id: ID!) { webhookPolicy(id: $id) { publicKeyPem account { id } } }', { id })
      .expect(200);
    return (body as { data: { webhookPolicy: { publicKeyPem: string | null; account: { id: string } } } }).data
      .webhookPolicy;
  };
  const node = Buffer.from(`service.example/Account/${account}`).toString('base64url');
  expect(await read()).toEqual({ publicKeyPem: made.publicKeyPem, account: { id: node } });
  const rotated = await call(client, rotate, { id });
  expect((await read()).publicKeyPem).toBe(made.publicKeyPem);
  service.pass(61 * 60_000);
  expect((await read()).publicKeyPem).toBe(rotated.publicKeyPem);
});

test('a shared secret is no public key', async () => {
  const client = newClient();
  const { webhookPolicy } = await call(client, create, { name: 'p', jwtAlg: 'hs256' });
  const query = `{ webhookPolicies(first: 1) { nodes { id publicKeyPem } } }`;
  const { body } = await client.graphql(query).expect(200);
  expect(body).toEqual({
    data: { webhookPolicies: { nodes: [{ id: webhookPolicy.id, publicKeyPem: null }] } },
  });
});

test('a shared secret is returned by the call that makes it', async () => {
  const made = await call(service.as('shared'), create, { name: 'p', jwtAlg: 'hs512' });
  expect(made).toMatchObject({ publicKeyPem: null, sharedSecret: expect.stringMatching(/^[\w-]{86}$/) as string });
  expect(made.webhookPolicy).toMatchObject({ issuer: null, accountIssuer: accountUrl('shared') });
});

test.each([
  [{ name: 'a b' }, ['name']],
  [{ name: 'p', jwtClaimExpiresIn: 0 }, ['jwtClaimExpiresIn']],
  [{ name: 'p', jwtAlg: 'hs256', keyRotationDays: 1 }, ['keyRotationDays']],
])('refusals name the members: %j', async (input, refused) => {
  const payload = await call(newClient(), create, input);
  expect(payload).toMatchObject({ webhookPolicy: null, errors: [{ path: refused }] });
});

test('an unknown algorithm is no value of the enum', async () => {
  const answer = await newClient().graphql(create, { input: { name: 'p', jwtAlg: 'none' } });
  expect(JSON.stringify(answer.body)).toContain('does not exist in \\"WebhookPolicyJwtAlg\\" enum');
});

test('policies are a connection with filters and order, and found by their ids', async () => {
  const client = newClient();
  for (const [name, jwt_alg] of [
    ['a', 'es256'],
    ['b', 'hs256'],
    ['c', 'es256'],
  ] as const)
    await client.post(path, { name, jwt_alg }).expect(201);
  const query = `{ webhookPolicies(first: 5, filter: { jwtAlg: { values: [es256] } }, order: [{ field: name, direction: desc }]) {
    totalCount nodes { id name auditLines(first: 1) { nodes { action personName changes { field } } } } } }`;
  const { data } = bodyOf(await client.graphql(query).expect(200)) as unknown as {
    data: { webhookPolicies: { totalCount: number; nodes: { id: string; name: string }[] } };
  };
  expect(data.webhookPolicies).toMatchObject({
    totalCount: 2,
    nodes: [
      { name: 'c', auditLines: { nodes: [{ action: 'created', personName: 'Ada Administrator' }] } },
      { name: 'a' },
    ],
  });
  const byId =
    'query ($id: ID!) { webhookPolicy(id: $id) { name } _entities(representations: [{ __typename: "WebhookPolicy", id: $id }]) { ... on WebhookPolicy { name } } }';
  const id = data.webhookPolicies.nodes[0]?.id;
  expect((await client.graphql(byId, { id })).body).toEqual({
    data: { webhookPolicy: { name: 'c' }, _entities: [{ name: 'c' }] },
  });
  for (const [other, wrong] of [
    [newClient(), id],
    [client, 'junk'],
  ] as const)
    expect((await other.graphql(byId, { id: wrong })).body).toEqual({
      data: { webhookPolicy: null, _entities: [null] },
    });
});

test("a webhook's policy is returned with it, to those who may read policies", async () => {
  const account = `g${(accounts += 1)}`;
  const { id } = bodyOf(await service.as(account).post(path, { name: 'p' }).expect(201));
  await register(service, account, { webhook_policy_id: id, openid_connect_discovery: true });
  const query = '{ webhooks(first: 1) { nodes { openidConnectDiscovery webhookPolicy { name } } } }';
  expect((await service.as(account).graphql(query)).body).toEqual({
    data: { webhooks: { nodes: [{ openidConnectDiscovery: true, webhookPolicy: { name: 'p' } }] } },
  });
  const narrow = service.as(account, { scopes: [{ effect: 'allow', actions: ['webhook:*'] }] });
  expect(JSON.stringify((await narrow.graphql(query)).body)).toContain(
    'Missing required scope(s): webhook-policy:Read',
  );
});

test.each([
  [{ accounts: { p: ['specialist'] } }, 'Forbidden'],
  [{ scopes: [{ effect: 'allow', actions: ['webhook:*'] }] }, 'Missing required scope(s): webhook-policy:'],
])('without the role or the scope nothing is done', async (claims, message) => {
  const client = service.as('p', claims as object);
  const id = '1';
  for (const [query, variables] of [
    ['{ webhookPolicies(first: 1) { totalCount } }', {}],
    ['{ webhookPolicy(id: "1") { name } }', {}],
    [create, { input: { name: 'x' } }],
    [update, { input: { id } }],
    [remove, { input: { id } }],
    [rotate, { input: { id } }],
  ] as const)
    expect(JSON.stringify((await client.graphql(query, variables)).body)).toContain(message);
});

test('every root field names the action it needs', () => {
  const addresses = createAddresses({ baseUrl: '', accountUrl: '', nodeIdDomain: '' });
  const uncalled = (): never => {
    throw new Error('only the guards are looked at');
  };
  const { Query, Mutation } = createPolicyResolvers({
    policies: {} as never,
    edits: { list: uncalled, find: uncalled, create: uncalled, update: uncalled, remove: uncalled },
    addresses,
    nodeIdDomain: '',
    now: () => new Date(0),
  });
  for (const resolver of [...Object.values(Query), ...Object.values(Mutation)])
    expect(allowedAction(resolver)).toMatch(/^webhook-policy:(Read|Create|Update|Delete)$/);
});

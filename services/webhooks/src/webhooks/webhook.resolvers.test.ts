import { startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { activeWebhook, bodyOf, register } from '../testing/webhook-steps';

let engines: Engines;
let service: Service;
beforeAll(async () => {
  engines = await startEngines();
});
beforeEach(async () => {
  service = await startService(engines);
});
afterEach(() => service.close());
afterAll(() => engines.close());

const list = '{ webhooks(first: 2) { totalCount pageInfo { hasNextPage endCursor } nodes { id name uri state } } }';
const entity = `query ($id: ID!) { _entities(representations: [{ __typename: "Webhook", id: $id }]) {
  ... on Webhook { id name event uri description disabled state disabledReason lastError source sourceID createdAt updatedAt } } }`;

test('webhooks are a connection over those of the account', async () => {
  for (const name of ['a', 'b', 'c']) await register(service, 'wdc', { name, uri: 'https://user:pw@host.example/' });
  await register(service, 'acme');
  const body = bodyOf(await service.as('wdc').graphql(list).expect(200));
  expect(body).toMatchObject({
    data: {
      webhooks: {
        totalCount: 3,
        pageInfo: { hasNextPage: true },
        nodes: [{ name: 'a', uri: 'https://user:***@host.example/', state: 'unverified' }, { name: 'b' }],
      },
    },
  });
});

test('a webhook is found by its node id, in its account only', async () => {
  const webhook = await activeWebhook(service, 'wdc');
  const body = bodyOf(await service.as('wdc').graphql(entity, { id: webhook['nodeID'] }).expect(200));
  expect(body).toEqual({
    data: {
      _entities: [
        {
          id: webhook['nodeID'],
          name: 'request.create',
          event: 'request.create',
          uri: webhook.uri,
          description: null,
          disabled: false,
          state: 'active',
          disabledReason: null,
          lastError: null,
          source: null,
          sourceID: null,
          createdAt: '2026-03-18T19:04:06Z',
          updatedAt: '2026-03-18T19:04:06Z',
        },
      ],
    },
  });
  for (const [account, id] of [
    ['acme', webhook['nodeID']],
    ['wdc', 'junk'],
    ['wdc', Buffer.from('service.example/Webhook/99').toString('base64url')],
    ['wdc', Buffer.from('service.example/Person/1').toString('base64url')],
  ] as const) {
    const answer = await service.as(account).graphql(entity, { id }).expect(200);
    expect(answer.body).toEqual({ data: { _entities: [null] } });
  }
});

test('a deleted webhook resolves as an entity reference only', async () => {
  const webhook = await activeWebhook(service, 'wdc', { name: 'Pager', uri: 'https://user:c4nary@host.example/' });
  await service.as('wdc').delete(`/v1/webhooks/${webhook.id}`).expect(204);
  const reference = `query ($id: ID!) { _entities(representations: [{ __typename: "Webhook", id: $id }]) {
    ... on Webhook { id name event uri state deletedAt auditLines(first: 1) { totalCount } webhookPolicy { id } } }
    webhook(id: $id) { id } webhooks(first: 1) { totalCount } }`;
  const id = webhook['nodeID'];
  expect(bodyOf(await service.as('wdc').graphql(reference, { id }))).toEqual({
    data: {
      _entities: [
        {
          id,
          name: 'Pager',
          event: 'request.create',
          uri: 'https://user:***@host.example/',
          state: 'disabled',
          deletedAt: '2026-03-18T19:04:06Z',
          auditLines: null,
          webhookPolicy: null,
        },
      ],
      webhook: null,
      webhooks: { totalCount: 0 },
    },
  });
  expect(bodyOf(await service.as('acme').graphql(entity, { id }))).toEqual({ data: { _entities: [null] } });
  // A tombstone does not prove its address.
  expect(await register(service, 'wdc', { uri: 'https://user:c4nary@host.example/' })).toMatchObject({
    state: 'unverified',
  });
});

test('of two concurrent deletions one succeeds, and a concurrent change does not prevent it', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  const remove = () => service.as('wdc').delete(`/v1/webhooks/${id}`);
  const change = () => service.as('wdc').patch(`/v1/webhooks/${id}`, { description: 'd' });
  const answers = await Promise.all([change(), remove(), remove()]);
  expect(
    answers
      .slice(1)
      .map(({ status }) => status)
      .sort(),
  ).toEqual([204, 404]);
  expect(await service.stopsOf(id)).toHaveLength(1);
});

test.each([
  [{ accounts: { wdc: ['specialist'] } }, 'Forbidden'],
  [{ scopes: [{ effect: 'allow', actions: ['request:*'] }] }, 'Missing required scope(s): webhook:Read'],
] as const)('without the role or the scope there is nothing to see', async (claims, message) => {
  const { nodeID } = await register(service, 'wdc');
  const caller = service.as('wdc', structuredClone(claims) as object);
  for (const answer of [await caller.graphql(list), await caller.graphql(entity, { id: nodeID })])
    expect(answer.body).toMatchObject({ errors: [{ message, extensions: { code: 'FORBIDDEN' } }] });
});

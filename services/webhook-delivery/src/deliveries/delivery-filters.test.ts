import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { CallerClaims } from '@itsm/shared/api/identity/caller';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import request from 'supertest';
import { answer, startPlatform } from '../testing/platform';
import type { Platform, Service } from '../testing/platform';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(() => platform.clear());
afterAll(() => platform.close());

const both: CallerClaims['accounts'] = { wdc: ['account_administrator'], acme: ['account_administrator'] };
const nodeId = (type: string, id: string | number) => toNodeId('service.example', type, id);

const headers = (account: string) => ({
  Authorization: `Bearer ${platform.keys.token({ accounts: both })}`,
  'X-Service-Account': account,
});

const get = (service: Service, query: string, account = 'wdc') =>
  request(service.app.http).get(`/v1/webhook_deliveries?${query}`).set(headers(account));

interface Page {
  readonly nodes: readonly Readonly<Record<string, unknown>>[];
  readonly totalCount: number;
}
interface Answer {
  readonly data: { readonly webhookDeliveries: Page; readonly _entities: readonly { readonly deliveries: Page }[] };
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

async function ask(service: Service, query: string, variables: object, account = 'wdc') {
  const { body } = await request(service.app.http).post('/graphql').set(headers(account)).send({ query, variables });
  return body as Answer;
}

const page = 'deliveryId eventId objectId record { __typename id }';
const list = (service: Service, filter: object, account = 'wdc') =>
  ask(
    service,
    `query ($filter: WebhookDeliveryFilter) { webhookDeliveries(first: 10, filter: $filter) { nodes { ${page} } totalCount } }`,
    { filter },
    account,
  );

/** Makes deliveries of one webhook: two about records, one of them failed, a test, and a verification. */
async function various() {
  const well = await platform.receiver(answer(200));
  const gone = await platform.receiver(answer(410));
  const service = await platform.start();
  const send = async (uri: string, about: Parameters<Service['request']>[1]) => {
    service.pass(1_000);
    const { deliveryId } = await service.request(uri, about);
    await service.settled(deliveryId);
    return deliveryId;
  };
  const ids = {
    taken: await send(well.uri, { objectId: 101 }),
    refused: await send(gone.uri, { objectId: 103, event: 'problem.update', eventId: 'event 5' }),
    another: await send(well.uri, { objectId: 103, event: 'problem.update', eventId: 'event 5', webhookId: 8 }),
    test: await send(well.uri, { objectId: 12_345, test: true }),
    verification: await send(well.uri, { event: 'webhook.verify' }),
  };
  return { service, ids, gone };
}

test('a delivery names its event and links its record', async () => {
  const { service, ids } = await various();
  const { data } = await list(service, {});
  const byId = new Map(data.webhookDeliveries.nodes.map((node) => [node['deliveryId'], node]));
  const problem = { __typename: 'Problem', id: nodeId('Problem', 103) };
  expect(byId.get(ids.refused)).toMatchObject({ eventId: 'event 5', objectId: 103, record: problem });
  expect(byId.get(ids.taken)).toMatchObject({ objectId: 101, record: { id: nodeId('Request', 101) } });
  expect(byId.get(ids.test)).toMatchObject({ objectId: 12_345, record: null });
  expect(byId.get(ids.verification)).toMatchObject({ objectId: null, record: null });
  const { body } = await get(service, 'event_id=event 5&fields=event_id,object_id,object_nodeID').expect(200);
  expect(body).toMatchObject(
    [ids.another, ids.refused].map((id) => ({
      id,
      event_id: 'event 5',
      object_id: 103,
      object_nodeID: nodeId('Problem', 103),
    })),
  );
});

test('a redelivery is about the same record', async () => {
  const { service, ids } = await various();
  const again = `mutation ($id: ID!) { webhookDeliveryRedeliver(input: { id: $id }) { webhookDelivery { objectId eventId } } }`;
  expect((await ask(service, again, { id: ids.refused })).data).toMatchObject({
    webhookDeliveryRedeliver: { webhookDelivery: { objectId: 103, eventId: 'event 5' } },
  });
});

test('the list narrows by record, event, error, status, host and test, in GraphQL and REST', async () => {
  const { service, ids, gone } = await various();
  const { taken, refused, another, test: sample, verification } = ids;
  const { host } = new URL(gone.uri);
  const cases: readonly (readonly [object, string, readonly string[]])[] = [
    [{ objectId: { values: [103] } }, 'object_id=103', [another, refused]],
    [{ objectId: { values: [101, 103] } }, 'object_id=101,103', [another, refused, taken]],
    [{ objectId: { values: [103] }, event: { values: ['task.update'] } }, 'object_id=103&event=task.update', []],
    [{ eventId: { values: ['event 5'] } }, 'event_id=event 5', [another, refused]],
    [{ errorClass: { values: ['http_status'] } }, 'error_class=http_status', [refused]],
    [{ errorClass: { values: ['timeout', 'dns'] } }, 'error_class=timeout,dns', []],
    [
      { errorClass: { values: ['http_status'], negate: true } },
      'error_class=!http_status',
      [verification, sample, another, taken],
    ],
    [{ lastStatus: { values: [410] } }, 'last_status=410', [refused]],
    [{ lastStatus: { values: [200] } }, 'last_status=200', [verification, sample, another, taken]],
    [{ test: true }, 'test=true', [sample]],
    [{ test: false }, 'test=false', [verification, another, refused, taken]],
    [{ host: { values: [host] } }, `host=${host}`, [refused]],
  ];
  for (const [filter, query, expected] of cases) {
    const { nodes, totalCount } = (await list(service, filter)).data.webhookDeliveries;
    expect({ query, ids: nodes.map(({ deliveryId }) => deliveryId), totalCount }).toEqual({
      query,
      ids: expected,
      totalCount: expected.length,
    });
    const { body } = await get(service, `${query}&fields=host`).expect(200);
    expect((body as { id: string }[]).map(({ id }) => id)).toEqual(expected);
    expect((await list(service, filter, 'acme')).data.webhookDeliveries.totalCount).toBe(0);
    expect((await get(service, query, 'acme').expect(200)).body).toEqual([]);
  }
});

test('the list of one webhook takes the same filters', async () => {
  const { service, ids } = await various();
  const query = `query ($refs: [_Any!]!, $filter: WebhookDeliveryFilter) { _entities(representations: $refs) {
    ... on Webhook { deliveries(first: 5, filter: $filter) { nodes { deliveryId } } } } }`;
  const refs = [7, 8].map((id) => ({ __typename: 'Webhook', id: nodeId('Webhook', id) }));
  const { data } = await ask(service, query, { refs, filter: { eventId: { values: ['event 5'] } } });
  expect(data._entities.map(({ deliveries }) => deliveries.nodes)).toEqual(
    [ids.refused, ids.another].map((deliveryId) => [{ deliveryId }]),
  );
});

test('a pending delivery is found by its last failure until an attempt succeeds', async () => {
  const receiver = await platform.receiver((res, call) => answer(call === 1 ? 503 : 200)(res));
  const service = await platform.start();
  const { deliveryId } = await service.request(receiver.uri);
  await waitUntil('the first result', async () => !(await service.stored(deliveryId)).leased);
  const count = async (filter: object) => (await list(service, filter)).data.webhookDeliveries.totalCount;
  const failures = [{ errorClass: { values: ['http_status'] } }, { lastStatus: { values: [503] } }];
  for (const filter of failures) expect(await count(filter)).toBe(1);
  service.pass(10_000);
  await service.settled(deliveryId);
  for (const filter of failures) expect(await count(filter)).toBe(0);
});

test.each([
  ['object_id=one', 'object_id must be an integer, not one'],
  ['object_id=>5', 'object_id cannot be filtered by >5'],
  ['last_status=>=500', 'last_status cannot be filtered by >=500'],
  ['test=perhaps', 'test must be a boolean, not perhaps'],
  [`object_id=${'1'.repeat(16)}`, `object_id must be an integer, not ${'1'.repeat(16)}`],
  [`event_id=${'x,'.repeat(101)}`, 'event_id cannot be filtered by more than 100 values'],
])('a bad filter is refused: %s', async (query, message) => {
  const service = await platform.start();
  await get(service, query).expect(400, { message });
});

test.each([
  { objectId: { values: ['one'] } },
  { objectId: { values: [1.5] } },
  { objectId: { values: [{ $gt: 0 }] } },
  { errorClass: { values: ['none'] } },
  { test: 'true' },
  { eventId: { values: Array.from({ length: 101 }, () => 'x') } },
])('a bad filter is refused in GraphQL: %j', async (filter) => {
  const service = await platform.start();
  expect((await list(service, filter)).errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
});

import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { CallerClaims } from '@itsm/shared/api/identity/caller';
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

interface Answer {
  readonly data?: Record<string, unknown>;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

async function ask(
  service: Service,
  query: string,
  variables: object = {},
  account = 'wdc',
  claims: Partial<CallerClaims> = {},
): Promise<Answer> {
  const { body } = await request(service.app.http)
    .post('/graphql')
    .set('Authorization', `Bearer ${platform.keys.token({ accounts: both, ...claims })}`)
    .set('X-Service-Account', account)
    .send({ query, variables });
  return body as Answer;
}

async function made(statuses: readonly number[]) {
  const receiver = await platform.receiver((res, call) => answer(statuses[call - 1] ?? 200)(res));
  const service = await platform.start();
  const ids: string[] = [];
  for (let count = 0; count < statuses.length; count += 1) {
    const { deliveryId } = await service.request(receiver.uri.replace('//', '//user:c4nary@'));
    await service.settled(deliveryId);
    service.pass(1_000);
    ids.push(deliveryId);
  }
  return { service, ids, receiver };
}

const nodeId = (type: string, id: string | number) => toNodeId('service.example', type, id);

test('one delivery, with its attempts and what was sent, without secrets', async () => {
  const { service, ids } = await made([200]);
  const id = nodeId('WebhookDelivery', ids[0] ?? '');
  const answered = await ask(
    service,
    `query ($id: ID!) { webhookDelivery(id: $id) { id deliveryId state event test uri host nextAttemptAt webhook { id }
      attempts { attempt outcome status fault milliseconds { connect total } }
      request { method uri signed body headers { name value } } origin { id } } }`,
    { id },
  );
  expect(answered).toMatchObject({
    data: {
      webhookDelivery: {
        id,
        deliveryId: ids[0],
        state: 'delivered',
        event: 'request.create',
        test: false,
        nextAttemptAt: null,
        webhook: { id: nodeId('Webhook', 7) },
        attempts: [{ attempt: 1, outcome: 'delivered', status: 200, fault: null }],
        request: { method: 'POST', signed: false, body: '{"webhook_id":7,"event":"request.create"}' },
        origin: null,
      },
    },
  });
  expect(answered.errors).toBeUndefined();
  expect(JSON.stringify(answered)).not.toContain('c4nary');
});

test('the list is newest first, in pages, filtered, and below its webhook', async () => {
  const { service, ids } = await made([200, 410, 200]);
  const list = `query ($after: String, $filter: WebhookDeliveryFilter) {
    webhookDeliveries(first: 2, after: $after, filter: $filter) {
      nodes { deliveryId } totalCount pageInfo { hasNextPage endCursor } } }`;
  const first = (await ask(service, list)).data?.['webhookDeliveries'] as {
    pageInfo: { endCursor: string };
  };
  expect(first).toMatchObject({
    nodes: [{ deliveryId: ids[2] }, { deliveryId: ids[1] }],
    totalCount: 3,
    pageInfo: { hasNextPage: true },
  });
  expect((await ask(service, list, { after: first.pageInfo.endCursor })).data).toMatchObject({
    webhookDeliveries: { nodes: [{ deliveryId: ids[0] }], pageInfo: { hasNextPage: false } },
  });
  const failed = { filter: { state: { values: ['failed'] }, webhook: { values: [nodeId('Webhook', 7)] } } };
  expect((await ask(service, list, failed)).data).toMatchObject({
    webhookDeliveries: { nodes: [{ deliveryId: ids[1] }], totalCount: 1 },
  });
  const others = { filter: { webhook: { values: [nodeId('Webhook', 7)], negate: true } } };
  expect((await ask(service, list, others)).data).toMatchObject({ webhookDeliveries: { nodes: [], totalCount: 0 } });
  // An empty range matches everything.
  const unbounded = { filter: { createdAt: {} } };
  expect((await ask(service, list, unbounded)).data).toMatchObject({ webhookDeliveries: { totalCount: 3 } });
  const entities = `query ($refs: [_Any!]!) { _entities(representations: $refs) {
    ... on Webhook { deliveries(last: 1) { nodes { deliveryId } totalCount } } ... on WebhookDelivery { state } } }`;
  const refs = [
    { __typename: 'Webhook', id: nodeId('Webhook', 7) },
    { __typename: 'Webhook', id: nodeId('Webhook', 8) },
    { __typename: 'WebhookDelivery', id: nodeId('WebhookDelivery', ids[1] ?? '') },
  ];
  expect((await ask(service, entities, { refs })).data).toMatchObject({
    _entities: [
      { deliveries: { nodes: [{ deliveryId: ids[0] }], totalCount: 3 } },
      { deliveries: { nodes: [], totalCount: 0 } },
      { state: 'failed' },
    ],
  });
});

test('the list is in the requested order, in pages', async () => {
  const { service, ids } = await made([200, 410, 200]);
  const list = `query ($after: String, $order: [WebhookDeliveryOrder!]) {
    webhookDeliveries(first: 2, after: $after, order: $order, view: current_account) {
      nodes { deliveryId } pageInfo { hasNextPage endCursor } } }`;
  const page = async (variables: object) => (await ask(service, list, variables)).data?.['webhookDeliveries'];
  const [first, second, third] = ids.map((deliveryId) => ({ deliveryId }));
  const order = [{ field: 'createdAt', direction: 'asc' }];
  const oldest = (await page({ order })) as { pageInfo: { endCursor: string } };
  expect(oldest).toMatchObject({ nodes: [first, second], pageInfo: { hasNextPage: true } });
  const { endCursor: after } = oldest.pageInfo;
  expect(await page({ order, after })).toMatchObject({ nodes: [third], pageInfo: { hasNextPage: false } });
  expect(await page({ order: [{ field: 'createdAt' }] })).toMatchObject({ nodes: [first, second] });
  expect(await page({ order: [{ field: 'createdAt', direction: 'desc' }] })).toMatchObject({ nodes: [third, second] });
  expect(await page({ order: [] })).toMatchObject({ nodes: [third, second] });
  const refused = await ask(service, list, { order: [{ field: 'state' }] });
  expect(refused.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  // A cursor is valid only for its own order.
  expect((await ask(service, list, { after })).errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
});

test('a finished delivery is redelivered; errors name what is refused', async () => {
  const { service, ids } = await made([410]);
  const again = `mutation ($input: WebhookDeliveryRedeliverInput!) { webhookDeliveryRedeliver(input: $input) {
    webhookDelivery { deliveryId origin { deliveryId } } errors { message path } clientMutationId } }`;
  const id = nodeId('WebhookDelivery', ids[0] ?? '');
  const { data } = await ask(service, again, { input: { id, clientMutationId: 'c' } });
  expect(data).toMatchObject({
    webhookDeliveryRedeliver: {
      webhookDelivery: { origin: { deliveryId: ids[0] } },
      errors: [],
      clientMutationId: 'c',
    },
  });
  const redelivery = (data?.['webhookDeliveryRedeliver'] as { webhookDelivery: { deliveryId: string } })
    .webhookDelivery;
  await service.settled(redelivery.deliveryId);
  await service.stopWebhook({ accountId: 'wdc', webhookId: 7, reason: 'deleted' });
  expect((await ask(service, again, { input: { id } })).data).toMatchObject({
    webhookDeliveryRedeliver: { webhookDelivery: null, errors: [{ path: ['id'] }] },
  });
  expect((await ask(service, again, { input: { id: 'nonsense' } })).errors).toMatchObject([{ message: 'Not Found' }]);
  const many = `mutation ($input: WebhookDeliveriesRedeliverInput!) { webhookDeliveriesRedeliver(input: $input) {
    webhookDeliveries { deliveryId } errors { message path } } }`;
  expect((await ask(service, many, { input: { ids: [id] } })).data).toMatchObject({
    webhookDeliveriesRedeliver: { webhookDeliveries: [], errors: [{ path: ['ids', '0'] }] },
  });
  const tooMany = { input: { ids: Array.from({ length: 101 }, () => id) } };
  expect((await ask(service, many, tooMany)).errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
});

test('of many, each refused one is named by its index in the list', async () => {
  const { service, ids } = await made([410]);
  const uuid = ids[0] ?? '';
  const input = { ids: ['nonsense', uuid, 'nonsense', nodeId('WebhookDelivery', uuid), 'other'] };
  const { data } = await ask(
    service,
    `mutation ($input: WebhookDeliveriesRedeliverInput!) { webhookDeliveriesRedeliver(input: $input) {
      webhookDeliveries { origin { deliveryId } } errors { message path } } }`,
    { input },
  );
  expect(data).toEqual({
    webhookDeliveriesRedeliver: {
      webhookDeliveries: [{ origin: { deliveryId: uuid } }],
      errors: ['0', '2', '4'].map((index) => ({ message: 'Not Found', path: ['ids', index] })),
    },
  });
});

test('another account finds nothing, nor does a caller without scope and role', async () => {
  const { service, ids } = await made([410]);
  const id = nodeId('WebhookDelivery', ids[0] ?? '');
  const one = 'query ($id: ID!) { webhookDelivery(id: $id) { id } }';
  const list = '{ webhookDeliveries(first: 5) { totalCount } }';
  const again = `mutation { webhookDeliveryRedeliver(input: { id: "${id}" }) { webhookDelivery { id } } }`;
  expect((await ask(service, one, { id }, 'acme')).data).toEqual({ webhookDelivery: null });
  expect((await ask(service, list, {}, 'acme')).data).toEqual({ webhookDeliveries: { totalCount: 0 } });
  expect((await ask(service, again, {}, 'acme')).errors).toMatchObject([{ message: 'Not Found' }]);
  const entity = `{ _entities(representations: [{ __typename: "Webhook", id: "${nodeId('Webhook', 7)}" }]) {
    ... on Webhook { deliveries(first: 1) { totalCount } } } }`;
  for (const claims of [
    { scopes: [{ effect: 'allow' as const, actions: ['webhook:Read'] }] },
    { accounts: { wdc: ['auditor' as const] } },
  ]) {
    for (const query of [one, list, again, entity]) {
      expect((await ask(service, query, { id }, 'wdc', claims)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    }
  }
});

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
const webhookId = toNodeId('service.example', 'Webhook', 7);

function post(service: Service, url: string, body: object, account = 'wdc', claims: Partial<CallerClaims> = {}) {
  return request(service.app.http)
    .post(url)
    .set('Authorization', `Bearer ${platform.keys.token({ accounts: both, ...claims })}`)
    .set('X-Service-Account', account)
    .send(body);
}

interface Payload {
  readonly count: number;
  readonly webhookDeliveries: readonly { readonly deliveryId: string; readonly origin: object | null }[];
  readonly errors: readonly { readonly message: string; readonly path: readonly string[] }[];
}
interface Answer {
  readonly data?: { readonly webhookDeliveriesRedeliver: Payload | null };
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

async function redeliver(service: Service, input: object, account = 'wdc', claims: Partial<CallerClaims> = {}) {
  const query = `mutation ($input: WebhookDeliveriesRedeliverInput!) { webhookDeliveriesRedeliver(input: $input) {
    count webhookDeliveries { deliveryId origin { deliveryId } } errors { message path } } }`;
  return (await post(service, '/graphql', { query, variables: { input } }, account, claims)).body as Answer;
}

const isAtRest = (service: Service, id: string) =>
  waitUntil('the end of an attempt', async () => {
    const { attempts, leased } = await service.stored(id);
    return attempts.length > 0 && !leased;
  });

/** Makes deliveries of one webhook: one failed, one stopped, one waiting for its retry. From then on the receiver answers 200. */
async function missed() {
  const receiver = await platform.receiver((res, call) => answer([410, 500, 500][call - 1] ?? 200)(res));
  const service = await platform.start();
  const from = service.now().toISOString();
  const send = async () => {
    const { deliveryId } = await service.request(receiver.uri);
    await isAtRest(service, deliveryId);
    service.pass(1_000);
    return deliveryId;
  };
  const failed = await send();
  const stopped = await send();
  await service.stopWebhook({ accountId: 'wdc', webhookId: 7, reason: 'disabled' });
  service.pass(1_000);
  const pending = await send();
  return { service, receiver, ids: { failed, stopped, pending }, span: { from, until: service.now().toISOString() } };
}

const counted = (count: number) => ({
  data: { webhookDeliveriesRedeliver: { count, webhookDeliveries: [], errors: [] } },
});

test('a preview counts the selected deliveries and makes none', async () => {
  const { service, receiver, span } = await missed();
  const preview = (states?: readonly string[], account?: string) =>
    redeliver(service, { webhookId, ...span, preview: true, ...(states && { states }) }, account);
  expect(await preview()).toEqual(counted(2));
  expect(await preview(['failed'])).toEqual(counted(1));
  expect(await preview(['stopped'])).toEqual(counted(1));
  expect(await preview(['pending'])).toEqual(counted(1));
  expect(await preview(['failed', 'stopped', 'pending'])).toEqual(counted(3));
  expect(await preview([])).toEqual(counted(0));
  expect(await preview(['failed', 'stopped', 'pending'], 'acme')).toEqual(counted(0));
  const rest = { webhook_id: 7, ...span, preview: true, states: ['failed', 'pending'] };
  await post(service, '/v1/webhook_deliveries/redeliver', rest).expect(200, { count: 2 });
  expect(receiver.calls).toHaveLength(3);
});

test('a finished delivery gets one redelivery, a pending one its next attempt', async () => {
  const { service, receiver, ids, span } = await missed();
  const input = { webhookId, ...span, states: ['failed', 'stopped', 'pending'] };
  const { data } = await redeliver(service, input);
  expect(data?.webhookDeliveriesRedeliver).toMatchObject({ count: 3, errors: [] });
  const made = data?.webhookDeliveriesRedeliver?.webhookDeliveries ?? [];
  expect(made.map(({ origin }) => origin)).toEqual([{ deliveryId: ids.failed }, { deliveryId: ids.stopped }, null]);
  expect(made[2]?.deliveryId).toBe(ids.pending);
  for (const { deliveryId } of made) expect(await service.settled(deliveryId)).toMatchObject({ state: 'delivered' });
  expect(await redeliver(service, input)).toEqual(counted(0));
  expect(receiver.calls).toHaveLength(6);
});

test('only the named states are selected, in REST too', async () => {
  const { service, receiver, ids, span } = await missed();
  const rest = { webhook_id: 7, ...span, states: ['pending'] };
  const { body } = await post(service, '/v1/webhook_deliveries/redeliver', rest).expect(200);
  expect(body).toEqual({ redelivered: [{ id: ids.pending, delivery_id: ids.pending }], refused: [] });
  await service.settled(ids.pending);
  expect(receiver.calls).toHaveLength(4);
  expect(await redeliver(service, { webhookId, ...span, preview: true })).toEqual(counted(2));
});

test('asked twice at once, each is made once', async () => {
  const { service, receiver, span } = await missed();
  const input = { webhookId, ...span, states: ['failed', 'stopped', 'pending'] };
  const answers = await Promise.all([redeliver(service, input), redeliver(service, input)]);
  const made = answers.flatMap(({ data }) => data?.webhookDeliveriesRedeliver?.webhookDeliveries ?? []);
  const distinct = new Set(made.map(({ deliveryId }) => deliveryId));
  expect(distinct.size).toBe(3);
  for (const id of distinct) await service.settled(id);
  expect(receiver.calls).toHaveLength(6);
});

test('what is refused is named', async () => {
  const { service, ids, span } = await missed();
  await service.stopWebhook({ accountId: 'wdc', webhookId: 7, reason: 'deleted' });
  const { data } = await redeliver(service, { webhookId, ...span, states: ['failed'] });
  const message = 'The webhook was deleted, or its address was changed, after this delivery';
  expect(data?.webhookDeliveriesRedeliver).toEqual({
    count: 0,
    webhookDeliveries: [],
    errors: [{ message: `${ids.failed}: ${message}`, path: ['webhookId'] }],
  });
});

const graphqlOf = (ids: readonly string[]) => ({
  path: '/graphql',
  body: {
    query: `mutation ($input: WebhookDeliveriesRedeliverInput!) {
      webhookDeliveriesRedeliver(input: $input) { count errors { message } } }`,
    variables: { input: { ids: ids.map((id) => toNodeId('service.example', 'WebhookDelivery', id)) } },
  },
});
const restOf = (ids: readonly string[]) => ({ path: '/v1/webhook_deliveries/redeliver', body: { ids } });

test.each([
  ['GraphQL', graphqlOf],
  ['REST', restOf],
])(
  'by %s, a call of which all was refused is made when it is repeated, and one of which some was is not',
  async (edge, callOf) => {
    const { service, receiver, ids, span } = await missed();
    const call = async (key: string, named: readonly string[]) => {
      const { path, body } = callOf(named);
      const given = await post(service, path, body).set('Idempotency-Key', `${edge} ${key}`).expect(200);
      return { text: given.text, isReplayed: given.get('Idempotent-Replayed') === 'true' };
    };
    const some = [ids.failed, ids.pending];
    const [refused, partly] = [await call('all', [ids.pending]), await call('some', some)];
    expect([refused, partly].map(({ text }) => /not finished yet/.test(text))).toEqual([true, true]);
    await redeliver(service, { webhookId, ...span, states: ['pending'] });
    await service.settled(ids.pending);
    const again = await call('all', [ids.pending]);
    expect(again.isReplayed).toBe(false);
    expect(again.text).not.toMatch(/not finished yet/);
    expect(await call('some', some)).toEqual({ ...partly, isReplayed: true });
    expect(await call('all', [ids.pending])).toEqual({ ...again, isReplayed: true });
    await waitUntil('the redeliveries', () => receiver.calls.length === 6);
  },
);

const span = { from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' };

test.each([
  ['nothing', {}],
  ['ids and a webhook', { ids: ['x'], webhookId, ...span }],
  ['ids and a preview', { ids: ['x'], preview: true }],
  ['ids and states', { ids: ['x'], states: ['failed'] }],
  ['a webhook without a time', { webhookId, from: span.from }],
  ['a time without a webhook', span],
  ['a state that is no failure', { webhookId, ...span, states: ['delivered'] }],
  ['a time that is none', { webhookId, ...span, from: 'today' }],
  ['too many ids', { ids: Array.from({ length: 101 }, () => 'x') }],
])('a bad input is refused: %s', async (_what, input) => {
  const service = await platform.start();
  expect((await redeliver(service, input)).errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
});

test('an unknown webhook has none; a caller without scope or role is refused', async () => {
  const { service, receiver } = await missed();
  for (const text of ['nonsense', 'x'.repeat(600), '{"$gt":0}', toNodeId('service.example', 'Team', 7)])
    expect(await redeliver(service, { webhookId: text, ...span })).toEqual(counted(0));
  const reader = { scopes: [{ effect: 'allow' as const, actions: ['webhook-delivery:Read'] }] };
  for (const claims of [reader, { accounts: { wdc: ['auditor' as const] } }]) {
    const { errors } = await redeliver(service, { webhookId, ...span, preview: true }, 'wdc', claims);
    expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  }
  await post(service, '/v1/webhook_deliveries/redeliver', { webhook_id: 7, ...span, states: ['all'] }).expect(422);
  await post(service, '/v1/webhook_deliveries/redeliver', { webhook_id: 7, ...span, states: [] }).expect(422);
  await post(service, '/v1/webhook_deliveries/redeliver', { ids: ['x'], states: ['failed'] }).expect(422);
  expect(receiver.calls).toHaveLength(3);
});

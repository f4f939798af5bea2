import { randomUUID } from 'node:crypto';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { CallerClaims } from '@itsm/shared/api/identity/caller';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import request from 'supertest';
import { answer, startPlatform } from '../testing/platform';
import type { Platform, Service } from '../testing/platform';

const second = 1_000;
const path = '/v1/webhook_deliveries';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(() => platform.clear());
afterAll(() => platform.close());

const both: CallerClaims['accounts'] = { wdc: ['account_administrator'], acme: ['account_administrator'] };

function post(service: Service, url: string, body: object = {}, account = 'wdc', claims: Partial<CallerClaims> = {}) {
  return request(service.app.http)
    .post(url)
    .set('Authorization', `Bearer ${platform.keys.token({ accounts: both, ...claims })}`)
    .set('X-Service-Account', account)
    .send(body);
}

/** Makes a delivery that has failed for good: the receiver answered 410, and answers 200 from then on. */
async function failed(about: Parameters<Service['request']>[1] = {}) {
  const receiver = await platform.receiver((res, call) => answer(call === 1 ? 410 : 200)(res));
  const service = await platform.start();
  const { deliveryId: id } = await service.request(receiver.uri, about);
  await service.settled(id);
  service.pass(second);
  return { service, receiver, id };
}

test('a redelivery is a delivery of its own with the same text, which names its origin', async () => {
  const { service, receiver, id } = await failed();
  const made = await post(service, `${path}/${id}/redeliver`).expect(201);
  const body = made.body as { id: string };
  expect(body).toMatchObject({ origin: id, state: 'pending', attempts: [], event: 'request.create' });
  expect(made.headers['location']).toBe(`https://api.service.example${path}/${body.id}`);
  expect(await service.settled(body.id)).toMatchObject({ state: 'delivered', origin: id });
  const [first, second] = receiver.calls;
  expect(second?.body).toBe(first?.body);
  expect(second?.headers).toMatchObject({
    'x-service-delivery': body.id,
    'x-service-delivery-origin': id,
    'x-service-attempt': '1',
  });
  expect(first?.headers).not.toHaveProperty('x-service-delivery-origin');
});

test('what is refused for its fields redelivers nothing', async () => {
  const { service, receiver, id } = await failed();
  await post(service, `${path}/${id}/redeliver?fields=nope`).expect(400, { message: 'Unknown fields: nope' });
  const { body } = await post(service, `${path}/${id}/redeliver?fields=origin`).expect(201);
  await service.settled((body as { id: string }).id);
  expect(receiver.calls).toHaveLength(2);
});

test('a change of the address that is reported after a later stop still ends what was requested before it', async () => {
  const { service, receiver, id } = await failed();
  const about = { accountId: 'wdc', webhookId: 7 };
  await service.stopWebhook({ ...about, reason: 'disabled' });
  service.pass(-second / 2);
  await service.stopWebhook({ ...about, reason: 'uri_changed' });
  service.pass(second);
  const { body } = await post(service, `${path}/${id}/redeliver`).expect(409);
  expect(body).toEqual({ message: 'The webhook was deleted, or its address was changed, after this delivery' });
  expect(receiver.calls).toHaveLength(1);
});

test('two concurrent requests make one redelivery; once it has ended, another can be made', async () => {
  const { service, receiver, id } = await failed();
  const nodeID = toNodeId('service.example', 'WebhookDelivery', id);
  const answers = await Promise.all([
    post(service, `${path}/${id}/redeliver`),
    post(service, `${path}/${nodeID}/redeliver`),
  ]);
  const made = answers.filter(({ status }) => status === 201).map(({ body }) => (body as { id: string }).id);
  expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
  for (const one of made) await service.settled(one);
  expect(receiver.calls.length).toBe(1 + new Set(made).size);
  await post(service, `${path}/${id}/redeliver`).expect(201);
});

test('each delivery of a chain can be redelivered any number of times, in any order', async () => {
  const { service, receiver, id } = await failed();
  const again = async (of: string) => {
    const { body } = await post(service, `${path}/${of}/redeliver`).expect(201);
    const { id: made } = body as { id: string };
    expect(await service.settled(made)).toMatchObject({ state: 'delivered', origin: of });
    return made;
  };
  const first = await again(id);
  const ofFirst = await again(first);
  const second = await again(id);
  const all = [id, first, ofFirst, second, await again(first), await again(ofFirst), await again(id)];
  expect(new Set(all).size).toBe(7);
  expect(receiver.calls.map(({ headers }) => headers['x-service-delivery'])).toEqual(all);
});

test('a redelivery stored before a crash is not made twice; a retry returns it', async () => {
  const { service, receiver, id } = await failed();
  const made = await post(service, `${path}/${id}/redeliver`).expect(201);
  const { id: first } = made.body as { id: string };
  await service.settled(first);
  // As if the process had died before `note`.
  await service.forget(id, 'redeliveredAs');
  const known = await post(service, `${path}/${id}/redeliver`).expect(201);
  expect(known.body).toMatchObject({ id: first, state: 'delivered' });
  expect(receiver.calls).toHaveLength(2);
  const again = await post(service, `${path}/${id}/redeliver`).expect(201);
  expect((again.body as { id: string }).id).not.toBe(first);
});

test('a redelivery stored before a crash that is still pending is a conflict', async () => {
  const receiver = await platform.receiver((res, call) => {
    if (call === 1) answer(410)(res);
  });
  const service = await platform.start();
  const { deliveryId: id } = await service.request(receiver.uri);
  await service.settled(id);
  await post(service, `${path}/${id}/redeliver`).expect(201);
  await service.forget(id, 'redeliveredAs');
  for (let count = 0; count < 2; count += 1) {
    await post(service, `${path}/${id}/redeliver`).expect(409, {
      message: 'The delivery was redelivered already, and that is not finished yet',
    });
  }
  await waitUntil('the call', () => receiver.calls.length === 2);
});

test('a redelivery that failed is redelivered with the others, also when its origin had been redelivered before', async () => {
  const receiver = await platform.receiver((res, call) => answer(call <= 3 ? 410 : 200)(res));
  const service = await platform.start();
  const from = service.now().toISOString();
  const { deliveryId: id } = await service.request(receiver.uri);
  await service.settled(id);
  const again = async () => {
    service.pass(second);
    const { body } = await post(service, `${path}/${id}/redeliver`).expect(201);
    await service.settled((body as { id: string }).id);
    return (body as { id: string }).id;
  };
  const both = [await again(), await again()];
  const { body } = await post(service, `${path}/redeliver`, {
    webhook_id: 7,
    from,
    until: service.now().toISOString(),
  }).expect(200);
  expect((body as { redelivered: { id: string }[] }).redelivered.map(({ id: of }) => of)).toEqual(both);
});

test('unsent messages of the origin are not sent again by its redelivery', async () => {
  let fail = () => {};
  const receiver = await platform.receiver((res, call) => {
    if (call === 1) fail = () => answer(410)(res);
  });
  const service = await platform.start();
  const { deliveryId: id } = await service.request(receiver.uri);
  await waitUntil('the call', () => receiver.calls.length === 1);
  const members = Object.keys(await service.stored(id)).sort();
  // From now on nothing can be published.
  await service.broker.close();
  fail();
  expect((await service.settled(id)).outbox).toHaveLength(1);
  const { body } = await post(service, `${path}/${id}/redeliver`).expect(201);
  const { id: made } = body as { id: string };
  await waitUntil('the second call', () => receiver.calls.length === 2);
  expect(Object.keys(await service.stored(made)).sort()).toEqual(members);
});

test('deliveries that are not finished, or of a kind that cannot be redelivered, are refused', async () => {
  const receiver = await platform.receiver(answer(500));
  const service = await platform.start();
  const { deliveryId: pending } = await service.request(receiver.uri);
  const { deliveryId: skipped } = await service.request(receiver.uri, { skipped: 'disabled' });
  await waitUntil('an attempt', () => service.results.length === 1);
  await post(service, `${path}/${pending}/redeliver`).expect(409, { message: 'The delivery is not finished yet' });
  await post(service, `${path}/${skipped}/redeliver`).expect(409);
  const verify = await failed({ event: 'webhook.verify' });
  await post(verify.service, `${path}/${verify.id}/redeliver`).expect(409);
});

test.each(['deleted', 'uri_changed'] as const)(
  'an address that the webhook has no more is not called: %s',
  async (reason) => {
    const { service, receiver, id } = await failed();
    await service.stopWebhook({ accountId: 'wdc', webhookId: 7, reason });
    service.pass(second);
    await service.stopWebhook({ accountId: 'wdc', webhookId: 7, reason: 'disabled' });
    await post(service, `${path}/${id}/redeliver`).expect(409);
    expect(receiver.calls).toHaveLength(1);
  },
);

test('another account, a wrong scope, a wrong role and a wrong id are refused', async () => {
  const { service, receiver, id } = await failed();
  const url = `${path}/${id}/redeliver`;
  await post(service, url, {}, 'acme').expect(404, { message: 'Not Found' });
  await post(service, `${path}/${randomUUID()}/redeliver`).expect(404);
  await post(service, `${path}/nonsense/redeliver`).expect(404);
  const reader = { scopes: [{ effect: 'allow' as const, actions: ['webhook-delivery:Read'] }] };
  await post(service, url, {}, 'wdc', reader).expect(403, {
    message: 'Missing required scope(s): webhook-delivery:Create',
  });
  await post(service, url, {}, 'wdc', { accounts: { wdc: ['specialist'] } }).expect(403);
  await post(service, `${path}/redeliver`, { ids: [id] }, 'wdc', reader).expect(403);
  await request(service.app.http).post(url).expect(401);
  expect((await post(service, `${path}/redeliver`, { ids: [id] }, 'acme').expect(200)).body).toEqual({
    redelivered: [],
    refused: [{ id, message: 'Not Found' }],
  });
  expect(receiver.calls).toHaveLength(1);
});

test('many are redelivered by their ids, with a result for each', async () => {
  const { service, id } = await failed();
  const unknown = randomUUID();
  const { body } = await post(service, `${path}/redeliver`, { ids: [id, id, unknown] }).expect(200);
  expect(body).toEqual({
    redelivered: [{ id, delivery_id: expect.any(String) as string }],
    refused: [{ id: unknown, message: 'Not Found' }],
  });
});

test('each of many is named by the text that was given, also when it is none or names one that is there already', async () => {
  const { service, receiver, id } = await failed();
  const nodeID = toNodeId('service.example', 'WebhookDelivery', id);
  const unknown = toNodeId('service.example', 'WebhookDelivery', randomUUID());
  const ids = ['nonsense', id, 'other', nodeID, 'nonsense', unknown];
  const { body } = await post(service, `${path}/redeliver`, { ids }).expect(200);
  const { redelivered } = body as { redelivered: { delivery_id: string }[] };
  const delivery_id = redelivered[0]?.delivery_id;
  expect(body).toEqual({
    redelivered: [id, nodeID].map((text) => ({ id: text, delivery_id })),
    refused: ['nonsense', 'other', unknown].map((text) => ({ id: text, message: 'Not Found' })),
  });
  await service.settled(delivery_id ?? '');
  expect(receiver.calls).toHaveLength(2);
});

test('failed deliveries of a period are counted first, then redelivered once', async () => {
  const receiver = await platform.receiver((res, call) => answer(call <= 3 ? 410 : 200)(res));
  const service = await platform.start();
  const from = service.now().toISOString();
  for (let count = 0; count < 3; count += 1) await service.settled((await service.request(receiver.uri)).deliveryId);
  await service.settled((await service.request(receiver.uri)).deliveryId);
  await service.settled((await service.request(receiver.uri, { webhookId: 8 })).deliveryId);
  service.pass(second);
  const selection = { webhook_id: 7, from, until: service.now().toISOString() };
  const many = (more: object = {}) => post(service, `${path}/redeliver`, { ...selection, ...more }).expect(200);
  expect((await many({ preview: true })).body).toEqual({ count: 3 });
  expect((await post(service, `${path}/redeliver`, { ...selection, preview: true }, 'acme')).body).toEqual({
    count: 0,
  });
  expect(((await many()).body as { redelivered: unknown[] }).redelivered).toHaveLength(3);
  await waitUntil('the calls', () => receiver.calls.length === 8);
  expect((await many()).body).toEqual({ redelivered: [], refused: [] });
});

test.each([
  ['nothing', {}],
  ['no ids', { ids: [] }],
  ['too many ids', { ids: Array.from({ length: 101 }, () => 'x') }],
  ['ids that are none', { ids: [1] }],
  ['an id that is too long', { ids: ['x'.repeat(600)] }],
  ['a time that is none', { webhook_id: 7, from: 'today', until: 'tomorrow' }],
  ['an unknown member', { ids: ['x'], force: true }],
  ['an operator', { webhook_id: { $gt: 0 }, from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' }],
])('a bad body is refused: %s', async (_what, body) => {
  const service = await platform.start();
  await post(service, `${path}/redeliver`, body).expect(422);
});

test('a body that is no JSON object, of another type or too large is refused', async () => {
  const service = await platform.start();
  const send = (type: string, text: string) => post(service, `${path}/redeliver`).set('Content-Type', type).send(text);
  await send('application/json', '{"ids":').expect(400);
  await send('application/json', '[]').expect(400);
  await send('text/plain', '{}').expect(415);
  await send('application/json', JSON.stringify({ ids: ['x'.repeat(70_000)] })).expect(413);
});

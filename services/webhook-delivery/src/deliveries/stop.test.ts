import { waitUntil } from '@itsm/shared/testing/wait-until';
import { answer, resultOf, startPlatform } from '../testing/platform';
import type { Platform } from '../testing/platform';

const second = 1_000;

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(() => platform.clear());
afterAll(() => platform.close());

test('pending deliveries of a stopped webhook are given up; those of others are not', async () => {
  const receiver = await platform.receiver(answer(500));
  const service = await platform.start();
  const stopped = await service.request(receiver.uri);
  const other = await service.request(receiver.uri, { webhookId: 8 });
  const foreign = await service.request(receiver.uri, { accountId: 'acme' });
  await waitUntil('three attempts', () => service.results.length === 3);
  service.pass(second);
  await service.stopWebhook({ accountId: 'wdc', webhookId: 7, reason: 'disabled' });
  expect(await service.stored(stopped.deliveryId)).toMatchObject({ state: 'stopped', stoppedBecause: 'disabled' });
  service.pass(5 * second);
  await waitUntil('two retries', () => service.results.length === 5);
  const retried = service.results.slice(3).map(({ deliveryId }) => deliveryId);
  expect(retried.sort()).toEqual([other.deliveryId, foreign.deliveryId].sort());
});

test('a delivery requested before its webhook was stopped, but arriving after it, is never made', async () => {
  const receiver = await platform.receiver(answer(200));
  const service = await platform.start();
  const requestedAt = service.now().toISOString();
  service.pass(second);
  await service.stopWebhook({ accountId: 'wdc', webhookId: 7, reason: 'deleted' });
  const late = await service.request(receiver.uri, { at: requestedAt });
  expect(await service.stored(late.deliveryId)).toMatchObject({ state: 'stopped', stoppedBecause: 'deleted' });
  const other = await service.request(receiver.uri, { at: requestedAt, webhookId: 8 });
  await resultOf(service, 1);
  expect(receiver.calls.map(({ headers }) => headers['x-service-delivery'])).toEqual([other.deliveryId]);
});

test('a stop of one event leaves the other deliveries of the webhook alone', async () => {
  const receiver = await platform.receiver(answer(500));
  const service = await platform.start();
  const verify = await service.request(receiver.uri, { event: 'webhook.verify' });
  const create = await service.request(receiver.uri, { event: 'request.create' });
  await waitUntil('two attempts', () => service.results.length === 2);
  service.pass(second);
  await service.stopWebhook({ accountId: 'wdc', webhookId: 7, reason: 'verified', event: 'webhook.verify' });
  expect(await service.stored(verify.deliveryId)).toMatchObject({ state: 'stopped', stoppedBecause: 'verified' });
  expect(await service.stored(create.deliveryId)).toMatchObject({ state: 'pending' });
});

test('a delivery requested at the time of the stop, such as the verification of a new address, goes out', async () => {
  const receiver = await platform.receiver((res, call) => answer(call === 1 ? 500 : 200)(res));
  const service = await platform.start();
  await service.request(receiver.uri, { event: 'webhook.verify' });
  await resultOf(service, 1);
  await service.stopWebhook({ accountId: 'wdc', webhookId: 7, reason: 'uri_changed' });
  service.pass(5 * second);
  expect(await resultOf(service, 2)).toMatchObject({ outcome: 'delivered' });
});

test('a delivery in flight when its webhook is stopped is recorded and not retried', async () => {
  let release = () => {};
  const receiver = await platform.receiver((res) => {
    release = () => answer(500)(res);
  });
  const service = await platform.start();
  const { deliveryId } = await service.request(receiver.uri);
  await waitUntil('the call', () => receiver.calls.length === 1);
  service.pass(second);
  await service.stopWebhook({ accountId: 'wdc', webhookId: 7, reason: 'deleted' });
  release();
  expect(await resultOf(service, 1)).toMatchObject({ outcome: 'failed', status: 500, final: true });
  const { state, attempts, dueAt } = await service.stored(deliveryId);
  expect({ state, attempts: attempts.length, dueAt }).toEqual({
    state: 'stopped',
    attempts: 1,
    dueAt: null,
  });
});

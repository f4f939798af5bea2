import { randomUUID } from 'node:crypto';
import { skippedRedelivered } from '@itsm/shared/contracts/deliveries';
import type { SkippedRedelivered } from '@itsm/shared/contracts/deliveries';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { answer, body, resultOf, sealTarget, startPlatform } from '../testing/platform';
import type { Platform, Service } from '../testing/platform';

const second = 1_000;

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(() => platform.clear());
afterAll(() => platform.close());

function redeliver(service: Service, uri: string, about: Partial<SkippedRedelivered> = {}) {
  const redeliveryId = randomUUID();
  const message: SkippedRedelivered = {
    redeliveryId,
    accountId: 'wdc',
    webhookId: 7,
    at: service.now().toISOString(),
    from: new Date(0).toISOString(),
    until: service.now().toISOString(),
    sealed: sealTarget({ uri }, redeliveryId),
    ...about,
  };
  return service.broker.publish(skippedRedelivered, message, redeliveryId);
}

test('a skipped delivery is kept with its reason and never made', async () => {
  const receiver = await platform.receiver(answer(200));
  const service = await platform.start();
  const { deliveryId } = await service.request(receiver.uri, { skipped: 'unverified' });
  service.pass(second);
  const { deliveryId: made } = await service.request(receiver.uri);
  await resultOf(service, 1);
  expect(service.results.map((result) => result.deliveryId)).toEqual([made]);
  expect(await service.stored(deliveryId)).toMatchObject({
    state: 'skipped',
    stoppedBecause: 'unverified',
    dueAt: null,
    attempts: [],
  });
});

test('skipped deliveries are made on request, to the address that the webhook has now, once', async () => {
  const [old, present] = [await platform.receiver(answer(200)), await platform.receiver(answer(200))];
  const service = await platform.start();
  const skipped = [
    await service.request(old.uri, { skipped: 'disabled' }),
    await service.request(old.uri, { skipped: 'disabled' }),
  ];
  const foreign = await service.request(old.uri, { skipped: 'disabled', accountId: 'acme' });
  const other = await service.request(old.uri, { skipped: 'disabled', webhookId: 8 });
  service.pass(second);
  await redeliver(service, present.uri);
  await redeliver(service, present.uri);
  await waitUntil('two results', () => service.results.length >= 2);
  expect(service.results.map((result) => result.deliveryId).sort()).toEqual(
    skipped.map(({ deliveryId }) => deliveryId).sort(),
  );
  expect(present.calls.map((call) => call.body)).toEqual([body, body]);
  expect(old.calls).toEqual([]);
  for (const { deliveryId } of [foreign, other])
    expect(await service.stored(deliveryId)).toMatchObject({ state: 'skipped' });
});

test('only what was skipped in the requested period is made', async () => {
  const receiver = await platform.receiver(answer(200));
  const service = await platform.start();
  const early = await service.request(receiver.uri, { skipped: 'disabled' });
  service.pass(second);
  const from = service.now().toISOString();
  const late = await service.request(receiver.uri, { skipped: 'disabled' });
  await redeliver(service, receiver.uri, { from });
  expect(await resultOf(service, 1)).toMatchObject({ deliveryId: late.deliveryId, final: true, nextAttemptAt: null });
  expect(await service.stored(early.deliveryId)).toMatchObject({ state: 'skipped' });
});

test('a webhook that was stopped since gets nothing, in either order of messages', async () => {
  const receiver = await platform.receiver(answer(500));
  const service = await platform.start();
  const { deliveryId } = await service.request(receiver.uri, { skipped: 'disabled' });
  const at = service.now().toISOString();
  service.pass(second);
  await service.stopWebhook({ accountId: 'wdc', webhookId: 7, reason: 'disabled' });
  await redeliver(service, receiver.uri, { at });
  expect(await service.stored(deliveryId)).toMatchObject({ state: 'skipped' });
  service.pass(second);
  await redeliver(service, receiver.uri);
  await waitUntil('an attempt', () => service.results.length === 1);
  service.pass(second);
  await service.stopWebhook({ accountId: 'wdc', webhookId: 7, reason: 'disabled' });
  expect(await service.stored(deliveryId)).toMatchObject({ state: 'stopped' });
});

test('an attempt that fails reports when the next one is made', async () => {
  const receiver = await platform.receiver(answer(500));
  const service = await platform.start();
  await service.request(receiver.uri);
  const { at, nextAttemptAt, final } = await resultOf(service, 1);
  expect(final).toBe(false);
  expect(Date.parse(nextAttemptAt ?? '')).toBe(Date.parse(at) + 5 * second);
});

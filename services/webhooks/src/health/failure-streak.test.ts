import { randomUUID } from 'node:crypto';
import { attemptFinished, attemptsFinished } from '@itsm/shared/contracts/deliveries';
import { day, startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { activeWebhook, attemptEnds, bodyOf, register, show } from '../testing/webhook-steps';

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

async function fail(id: number, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) await attemptEnds(service, 'wdc', id);
}

test('20 consecutive failures over more than a week disable the webhook', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  await fail(id, 19);
  service.pass(7 * day + 1);
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'active' });
  await attemptEnds(service, 'wdc', id, { error: 'No answer within 10 seconds' });
  expect(await show(service, 'wdc', id)).toMatchObject({
    state: 'disabled',
    disabled: true,
    disabled_reason: '20 consecutive failures since 2026-03-18T19:04:06.000Z',
    last_error: 'No answer within 10 seconds',
  });
  expect(await service.stopsOf(id)).toMatchObject([{ accountId: 'wdc', reason: 'disabled' }]);
});

test('19 failures over more than a week, or any number within a week, do not disable', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  await fail(id, 18);
  service.pass(8 * day);
  await fail(id, 1);
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'active' });

  const busy = await activeWebhook(service, 'wdc');
  await fail(busy.id, 30);
  service.pass(7 * day);
  await fail(busy.id, 1);
  expect(await show(service, 'wdc', busy.id)).toMatchObject({ state: 'active' });
});

test('a success resets the count and clears the last error', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  await fail(id, 19);
  expect(await show(service, 'wdc', id)).toMatchObject({ last_error: 'The receiver answered with status 500' });
  service.pass(day);
  await attemptEnds(service, 'wdc', id, { outcome: 'delivered', fault: null, status: 200, error: null, final: true });
  expect(await show(service, 'wdc', id)).toMatchObject({ last_error: null });
  service.pass(7 * day);
  await fail(id, 19);
  service.pass(7 * day);
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'active' });
});

test('test deliveries and failures on our side count for nothing', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  await fail(id, 19);
  service.pass(8 * day);
  await attemptEnds(service, 'wdc', id, { test: true, error: 'of the test' });
  await attemptEnds(service, 'wdc', id, { fault: 'ours', error: 'of ours' });
  await attemptEnds(service, 'wdc', id, { test: true, outcome: 'delivered', fault: null, error: null });
  expect(await show(service, 'wdc', id)).toMatchObject({
    state: 'active',
    last_error: 'The receiver answered with status 500',
  });
  await fail(id, 1);
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'disabled' });
});

test('an attempt counts once, however often its end is reported', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  await fail(id, 18);
  service.pass(8 * day);
  const attempt = await attemptEnds(service, 'wdc', id);
  for (let repeat = 0; repeat < 5; repeat += 1)
    await service.broker.publish(attemptFinished, attempt, `${attempt.deliveryId}:1`);
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'active' });
  await service.broker.publish(attemptFinished, { ...attempt, attempt: 2 }, `${attempt.deliveryId}:2`);
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'disabled' });
  expect(await service.stopsOf(id)).toHaveLength(1);
});

test('a success that is reported again does not clear later failures', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  await fail(id, 1);
  service.pass(1_000);
  const success = await attemptEnds(service, 'wdc', id, { outcome: 'delivered', fault: null, error: null });
  service.pass(1_000);
  await fail(id, 19);
  await service.broker.publish(attemptFinished, success, `${success.deliveryId}:1`);
  service.pass(8 * day);
  await fail(id, 1);
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'disabled' });
});

test('successes that are reported together count for their webhooks, and reported again they change nothing', async () => {
  const webhooks = [await activeWebhook(service, 'wdc'), await activeWebhook(service, 'wdc')];
  for (const { id } of webhooks) await fail(id, 19);
  const silent = await activeWebhook(service, 'wdc');
  await fail(silent.id, 2);
  service.pass(1_000);
  const success = { attempt: 1, accountId: 'wdc', test: false, at: service.now().toISOString() };
  const ended = { outcome: 'delivered', fault: null, status: 204, error: null, final: true } as const;
  const attempts = webhooks.flatMap(({ id }) =>
    [1, 2, 3].map(() => ({ deliveryId: randomUUID(), webhookId: id, ...success, ...ended })),
  );
  await service.broker.publish(attemptsFinished, { attempts }, 'batch');
  const failures = async () =>
    Promise.all([...webhooks, silent].map(async ({ id }) => (await show(service, 'wdc', id))['consecutive_failures']));
  expect(await failures()).toEqual([0, 0, 2]);
  service.pass(1_000);
  for (const { id } of webhooks) await fail(id, 3);
  await service.broker.publish(attemptsFinished, { attempts }, 'batch');
  expect(await failures()).toEqual([3, 3, 2]);
});

test('a late report of a failure from before a success does not count', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  const before = service.now().toISOString();
  service.pass(5_000);
  await attemptEnds(service, 'wdc', id, { outcome: 'delivered', fault: null, status: 200, error: null });
  await attemptEnds(service, 'wdc', id, { at: before });
  expect(await show(service, 'wdc', id)).toMatchObject({ consecutive_failures: 0, last_error: null });
  await attemptEnds(service, 'wdc', id, { at: before, status: 410 });
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'active' });
});

test('many failures at once are all counted', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  await fail(id, 1);
  service.pass(8 * day);
  await Promise.all(Array.from({ length: 19 }, () => attemptEnds(service, 'wdc', id)));
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'disabled' });
  expect(await service.stopsOf(id)).toHaveLength(1);
});

test('410 Gone disables at once, but not when it answers a test', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  await attemptEnds(service, 'wdc', id, { status: 410, test: true });
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'active' });
  await attemptEnds(service, 'wdc', id, { status: 410, error: null, final: true });
  expect(await show(service, 'wdc', id)).toMatchObject({
    state: 'disabled',
    disabled_reason: 'The receiver answered 410 Gone',
    last_error: 'The receiver answered with status 410',
  });
});

test('enabling again forgives the failures and needs no new verification', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  await fail(id, 19);
  service.pass(8 * day);
  await fail(id, 1);
  const body = bodyOf(await service.as('wdc').patch(`/v1/webhooks/${id}`, { disabled: false }).expect(200));
  expect(body).toMatchObject({ state: 'active', disabled: false, disabled_reason: null });
  await fail(id, 19);
  service.pass(8 * day);
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'active' });
  await fail(id, 1);
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'disabled' });
});

test('failures from before a change of address say nothing about the new one', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  const before = service.now().toISOString();
  service.pass(1_000);
  await service.as('wdc').patch(`/v1/webhooks/${id}`, { uri: 'https://new.example/' }).expect(200);
  await attemptEnds(service, 'wdc', id, { at: before, status: 410 });
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'unverified', last_error: null });
});

test('an unverified webhook shows why webhook.verify could not be delivered', async () => {
  const { id } = await register(service, 'wdc');
  await attemptEnds(service, 'wdc', id, { error: 'The name receiver.example is not known' });
  expect(await show(service, 'wdc', id)).toMatchObject({
    state: 'unverified',
    last_error: 'The name receiver.example is not known',
  });
});

test('attempts of another account or of a deleted webhook change nothing', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  await attemptEnds(service, 'acme', id, { status: 410 });
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'active', last_error: null });
  await service.as('wdc').delete(`/v1/webhooks/${id}`).expect(204);
  await attemptEnds(service, 'wdc', id, { status: 410 });
  await service.as('wdc').get(`/v1/webhooks/${id}`).expect(404);
});

import { waitUntil } from '@itsm/shared/testing/wait-until';
import { answer, startPlatform } from '../testing/platform';
import type { Platform, Service } from '../testing/platform';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(() => platform.clear());
afterAll(() => platform.close());

const requestAll = (service: Service, uri: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => service.request(uri)));

const stored = (service: Service, ids: readonly string[]) => Promise.all(ids.map((id) => service.settled(id)));

test('results that end together are reported once each in few messages, and leave the outbox empty', async () => {
  const service = await platform.start();
  const receiver = await platform.receiver(answer(200));
  // Warm-up: a host starts with few concurrent calls and earns more with each answer.
  await requestAll(service, receiver.uri, 40);
  await waitUntil('the first results', () => service.results.length === 40);
  const before = service.reports();
  const ids = (await requestAll(service, receiver.uri, 40)).map(({ deliveryId }) => deliveryId);
  const all = await stored(service, ids);
  expect(all.every(({ outbox, outboxAt }) => outbox === undefined && outboxAt === undefined)).toBe(true);
  const reported = service.results.slice(40).map(({ deliveryId }) => deliveryId);
  expect(reported.sort()).toEqual(ids.sort());
  expect(service.reports() - before).toBeLessThanOrEqual(8);
});

test('a failure is reported in its own message, not batched with successes', async () => {
  const service = await platform.start();
  const [well, ill] = [await platform.receiver(answer(200)), await platform.receiver(answer(500))];
  const [one, other] = await Promise.all([service.request(well.uri), service.request(ill.uri)]);
  await waitUntil('both results', () => service.results.length === 2);
  expect(service.reports()).toBe(2);
  const outcomes = Object.fromEntries(service.results.map(({ deliveryId, outcome }) => [deliveryId, outcome]));
  expect(outcomes).toEqual({ [one.deliveryId]: 'delivered', [other.deliveryId]: 'failed' });
});

test('the time of a result is the end of the attempt, however long the write took', async () => {
  const service = await platform.start();
  const held: (() => void)[] = [];
  const receiver = await platform.receiver((res) => void held.push(() => answer(200)(res)));
  const { deliveryId } = await service.request(receiver.uri);
  await waitUntil('the call', () => held.length === 1);
  const ended = service.now().toISOString();
  service.freeze();
  held[0]?.();
  await waitUntil('the message', () => service.results.length > 0);
  service.pass(5_000);
  service.thaw();
  await service.settled(deliveryId);
  expect(new Set(service.results.map(({ at }) => at))).toEqual(new Set([ended]));
});

test('a stop waits for batched results', async () => {
  const service = await platform.start();
  const receiver = await platform.receiver(answer(200));
  const { deliveryId } = await service.request(receiver.uri);
  await waitUntil('the call', () => receiver.calls.length === 1);
  await service.app.stop();
  expect(await service.stored(deliveryId)).toMatchObject({ state: 'delivered', leased: false });
  expect(service.results).toMatchObject([{ deliveryId, outcome: 'delivered' }]);
});

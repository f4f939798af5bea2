import { waitUntil } from '@itsm/shared/testing/wait-until';
import { answer, resultOf, startPlatform } from '../testing/platform';
import type { Platform, Service } from '../testing/platform';

const second = 1_000;
const lease = 31 * second;

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(() => platform.clear());
afterAll(() => platform.close());

/** A receiver whose first answer waits until it is released; all others come at once. */
async function slowAtFirst(first: number, others: number) {
  const held: (() => void)[] = [];
  const receiver = await platform.receiver((res, call) => {
    if (call === 1) held.push(() => answer(first)(res));
    else answer(others)(res);
  });
  return { receiver, release: () => held.forEach((letGo) => letGo()) };
}

const attemptsOf = async (service: Service, id: string) =>
  (await service.stored(id)).attempts.map(({ number, status, lost }) => [number, status, lost ?? false]);

test('a lease that expires during a running attempt causes no second call, and the result counts', async () => {
  const { receiver, release } = await slowAtFirst(500, 200);
  const service = await platform.start();
  const { deliveryId } = await service.request(receiver.uri);
  await waitUntil('the call', () => receiver.calls.length === 1);
  service.pass(lease);
  await waitUntil('the lease to be renewed', () => service.log.some((line) => line.includes('was renewed')));
  expect((await service.stored(deliveryId)).fence).toBe(2);
  release();
  expect(await resultOf(service, 1)).toMatchObject({ outcome: 'failed', status: 500, final: false });
  expect(receiver.calls).toHaveLength(1);
  expect(await attemptsOf(service, deliveryId)).toEqual([[1, 500, false]]);
});

test('a success that is reported after a takeover ends the delivery and is logged once', async () => {
  const { receiver, release } = await slowAtFirst(200, 500);
  const slow = await platform.start();
  const { deliveryId } = await slow.request(receiver.uri);
  await waitUntil('the call', () => receiver.calls.length === 1);
  slow.freeze();
  const other = await slow.another();
  other.pass(lease);
  await waitUntil('the second call', () => receiver.calls.length === 2);
  expect(await resultOf(other, 2)).toMatchObject({ outcome: 'failed', status: 500 });
  slow.thaw();
  release();
  await waitUntil('the late result', () => slow.log.some((line) => line.includes('"late":true')));
  expect(await attemptsOf(other, deliveryId)).toEqual([
    [1, 200, false],
    [2, 500, false],
  ]);
  const stored = { state: 'delivered', dueAt: null, lastErrorClass: 'http_status', lastStatus: 500 };
  expect(await other.stored(deliveryId)).toMatchObject(stored);
});

test('a failure that is reported after a takeover is logged and changes nothing else', async () => {
  const { receiver, release } = await slowAtFirst(500, 200);
  const slow = await platform.start();
  const { deliveryId } = await slow.request(receiver.uri);
  await waitUntil('the call', () => receiver.calls.length === 1);
  slow.freeze();
  const other = await slow.another();
  other.pass(lease);
  await other.settled(deliveryId);
  slow.thaw();
  release();
  await waitUntil('the late result', () => slow.log.some((line) => line.includes('"late":true')));
  expect(await attemptsOf(other, deliveryId)).toEqual([
    [1, 500, false],
    [2, 200, false],
  ]);
  expect(await other.stored(deliveryId)).toMatchObject({ state: 'delivered' });
});

test('after a process has died, another one attempts the delivery under the next number once the lease has expired', async () => {
  const receiver = await platform.receiver((res, call) => {
    if (call > 1) res.writeHead(200).end();
  });
  const dead = await platform.start();
  const { deliveryId } = await dead.request(receiver.uri);
  await waitUntil('the first call', () => receiver.calls.length === 1);
  await dead.crash();
  const alive = await dead.another();
  alive.pass(lease);
  expect(await resultOf(alive, 2)).toMatchObject({ deliveryId, outcome: 'delivered' });
  await alive.settled(deliveryId);
  expect(await attemptsOf(alive, deliveryId)).toEqual([
    [1, null, true],
    [2, 200, false],
  ]);
  expect(receiver.calls.map(({ headers }) => headers['x-service-delivery'])).toEqual([deliveryId, deliveryId]);
});

test('an attempt that a stopping process abandons has no result, and another process repeats it', async () => {
  const receiver = await platform.receiver((res, call) => {
    if (call > 1) answer(200)(res);
  });
  const stopping = await platform.start({ graceMilliseconds: 0 });
  const { deliveryId } = await stopping.request(receiver.uri);
  await waitUntil('the call', () => receiver.calls.length === 1);
  const next = await stopping.another();
  await stopping.app.stop();
  next.pass(lease);
  await next.settled(deliveryId);
  expect(await attemptsOf(next, deliveryId)).toEqual([
    [1, null, true],
    [2, 200, false],
  ]);
});

test('a process that starts looks at once for what others have left', async () => {
  const receiver = await platform.receiver((res, call) => answer(call === 1 ? 500 : 200)(res));
  const dead = await platform.start();
  const { deliveryId } = await dead.request(receiver.uri);
  await resultOf(dead, 1);
  await waitUntil('the end of the attempt', async () => !(await dead.stored(deliveryId)).leased);
  await dead.crash();
  dead.pass(5 * second);
  const alive = await dead.another({ sweepMilliseconds: 3_600 * second });
  expect(await alive.settled(deliveryId)).toMatchObject({ state: 'delivered' });
});

test('a delivery that kills its process each time is retried with back-off and given up after ten attempts', async () => {
  const receiver = await platform.receiver(() => {});
  let service = await platform.start();
  const { deliveryId } = await service.request(receiver.uri);
  const waits: number[] = [];
  for (let calls = 1; ; calls += 1) {
    await waitUntil(`call ${calls}`, () => receiver.calls.length === calls);
    await service.crash();
    service = await service.another();
    service.pass(lease);
    if (calls === 1) continue;
    const { state, dueAt } = await waitUntil('the loss to be noted', async () => {
      const found = await service.stored(deliveryId);
      return found.attempts.length >= calls && !found.leased ? found : undefined;
    });
    if (state === 'failed') break;
    waits.push((dueAt?.getTime() ?? 0) - service.now().getTime());
    service.pass(waits.at(-1) ?? 0);
  }
  expect(receiver.calls).toHaveLength(10);
  const hour = 3_600 * second;
  expect(waits).toEqual([300 * second, 1_800 * second, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour)]);
  expect(await service.stored(deliveryId)).toMatchObject({ state: 'failed', dueAt: null });
  const last = await waitUntil('the last result', () => service.results.find(({ final }) => final));
  expect(last).toMatchObject({ attempt: 10, fault: 'ours', nextAttemptAt: null });
});

test('a clock that jumps forward and back loses no delivery and repeats none', async () => {
  const receiver = await platform.receiver((res, call) => answer(call === 1 ? 500 : 200)(res));
  const service = await platform.start();
  const { deliveryId } = await service.request(receiver.uri);
  await resultOf(service, 1);
  service.pass(-3_600 * second);
  const { deliveryId: meanwhile } = await service.request(receiver.uri);
  await service.settled(meanwhile);
  service.pass(2 * 3_600 * second);
  await service.settled(deliveryId);
  expect(receiver.calls).toHaveLength(3);
});

test('several replicas share due deliveries, and each is made once', async () => {
  let refuses = true;
  const receiver = await platform.receiver((res) => answer(refuses ? 500 : 200)(res));
  const one = await platform.start();
  const two = await one.another();
  const ids = new Set<string>();
  for (let count = 0; count < 60; count += 1) ids.add((await one.request(receiver.uri)).deliveryId);
  await waitUntil('the first attempts', () => receiver.calls.length === 60);
  for (const id of ids) await waitUntil('its record', async () => (await one.stored(id)).attempts.length === 1);
  refuses = false;
  one.pass(5 * second);
  for (const id of ids) await one.settled(id);
  expect(receiver.calls).toHaveLength(120);
  const made = () => [one, two].flatMap(({ log }) => log.filter((line) => line.includes('"number":2'))).length;
  // An attempt is logged after it is stored.
  await waitUntil('each attempt to be logged', () => made() >= 60);
  expect(made()).toBe(60);
});

test('a result is written after an outage of the store', async () => {
  const { receiver, release } = await slowAtFirst(200, 200);
  const service = await platform.start();
  const { deliveryId } = await service.request(receiver.uri);
  await waitUntil('the call', () => receiver.calls.length === 1);
  service.cut();
  release();
  await waitUntil('the result to be published', () => service.results.length === 1);
  service.thaw();
  expect(await service.settled(deliveryId)).toMatchObject({ state: 'delivered', fence: 1 });
  expect(receiver.calls).toHaveLength(1);
});

test('a delivery that arrives during an outage of the store stays with the broker', async () => {
  const receiver = await platform.receiver(answer(200));
  const service = await platform.start({ storeMilliseconds: 5_000 });
  service.cut();
  // The in-process broker rejects to the publisher where a real broker would requeue.
  await expect(service.request(receiver.uri)).rejects.toThrow();
  service.thaw();
  const { deliveryId } = await waitUntil('the store to be back', () =>
    service.request(receiver.uri).catch(() => undefined),
  );
  await service.settled(deliveryId);
});

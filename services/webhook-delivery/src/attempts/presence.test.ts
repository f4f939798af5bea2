import { waitUntil } from '@itsm/shared/testing/wait-until';
import { answer, startPlatform } from '../testing/platform';
import type { Platform, Service } from '../testing/platform';

const second = 1_000;

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(() => platform.clear());
afterAll(() => platform.close());

/** A receiver whose first answer waits until it is released; all others come at once. */
async function slowAtFirst() {
  const held: (() => void)[] = [];
  const receiver = await platform.receiver((res, call) => {
    if (call === 1) held.push(() => answer(200)(res));
    else answer(200)(res);
  });
  return { receiver, release: () => held.forEach((letGo) => letGo()) };
}

/** Waits for a complete look that begins after this call. The first look to end may have begun before it, hence two. */
async function looked(...services: readonly Service[]): Promise<void> {
  for (const service of services) {
    const before = service.looks();
    await waitUntil('another look', () => service.looks() >= before + 2);
  }
}

async function passSeconds(seconds: number, ...services: readonly Service[]): Promise<void> {
  await looked(...services);
  for (let passed = 0; passed < seconds; passed += 1) {
    services[0]?.pass(second);
    await looked(...services);
  }
}

test('attempts of a dead process are repeated by another within five seconds', async () => {
  const { receiver } = await slowAtFirst();
  const dead = await platform.start();
  const { deliveryId } = await dead.request(receiver.uri);
  await waitUntil('the first call', () => receiver.calls.length === 1);
  await dead.crash();
  const alive = await dead.another();
  await passSeconds(2, alive);
  expect(receiver.calls).toHaveLength(1);
  await passSeconds(1, alive);
  await waitUntil('the second call', () => receiver.calls.length === 2);
  const { attempts, state } = await alive.settled(deliveryId);
  expect(attempts.map(({ number, status, lost }) => [number, status, lost ?? false])).toEqual([
    [1, null, true],
    [2, 200, false],
  ]);
  expect(state).toBe('delivered');
});

test('a process that waits long for its receiver keeps its leases', async () => {
  const { receiver, release } = await slowAtFirst();
  const slow = await platform.start();
  const { deliveryId } = await slow.request(receiver.uri);
  await waitUntil('the call', () => receiver.calls.length === 1);
  const other = await slow.another();
  await passSeconds(8, slow, other);
  release();
  expect(await slow.settled(deliveryId)).toMatchObject({ state: 'delivered', fence: 1, attempts: [{ status: 200 }] });
  expect(receiver.calls).toHaveLength(1);
});

test('a process declared dead by mistake reports its result late and continues under a new id', async () => {
  const { receiver, release } = await slowAtFirst();
  const frozen = await platform.start();
  const { deliveryId } = await frozen.request(receiver.uri);
  await waitUntil('the call', () => receiver.calls.length === 1);
  const { owner } = await frozen.stored(deliveryId);
  frozen.freeze();
  const other = await frozen.another();
  await passSeconds(3, other);
  await other.settled(deliveryId);
  frozen.thaw();
  release();
  await waitUntil('the late result', () => frozen.log.some((line) => line.includes('"late":true')));
  const { deliveryId: next } = await frozen.request(receiver.uri);
  expect((await frozen.settled(next)).owner).not.toBe(owner);
  expect((await other.stored(deliveryId)).attempts.map(({ status }) => status)).toEqual([200, 200]);
  expect(receiver.calls).toHaveLength(3);
});

test('no process takes over from another because of an outage of the store', async () => {
  const { receiver, release } = await slowAtFirst();
  const one = await platform.start();
  const { deliveryId } = await one.request(receiver.uri);
  await waitUntil('the call', () => receiver.calls.length === 1);
  const other = await one.another();
  await passSeconds(1, one, other);
  for (const service of [one, other]) service.cut();
  one.pass(10 * second);
  for (const service of [one, other]) service.thaw();
  await passSeconds(2, one, other);
  release();
  expect(await one.settled(deliveryId)).toMatchObject({ state: 'delivered', fence: 1 });
  expect(receiver.calls).toHaveLength(1);
});

test('an idle process writes nothing, and polls for work less often than for dead processes', async () => {
  const receiver = await platform.receiver(answer(200));
  const service = await platform.start();
  const { deliveryId } = await service.request(receiver.uri);
  await service.settled(deliveryId);
  await waitUntil('the line of log', () => service.log.length > 0);
  await passSeconds(2, service);
  service.pass(10 * second);
  await looked(service);
  const [writes, looks, sweeps] = [service.writes(), service.looks(), service.sweeps()];
  await passSeconds(5, service);
  expect(service.writes()).toBe(writes);
  expect(service.sweeps() - sweeps).toBeLessThan(service.looks() - looks);
});

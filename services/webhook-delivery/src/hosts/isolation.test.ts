import { waitUntil } from '@itsm/shared/testing/wait-until';
import { createOutbound } from '@itsm/shared/outbound/calls/outbound';
import { answer, startPlatform } from '../testing/platform';
import type { Platform, Service } from '../testing/platform';

const second = 1_000;

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(() => platform.clear());
afterAll(() => platform.close());

const resultsFor = ({ results }: Service, webhookId: number) => results.filter((one) => one.webhookId === webhookId);

/** A receiver that holds every call until `release`, and answers at once from then on. */
async function hangingReceiver() {
  const held: (() => void)[] = [];
  let hangs = true;
  const receiver = await platform.receiver((res) => {
    if (hangs) held.push(() => answer(200)(res));
    else answer(200)(res);
  });
  return {
    receiver,
    release: () => {
      hangs = false;
      held.forEach((letGo) => letGo());
    },
  };
}

test('a hanging host does not delay another, and all its own deliveries are attempted', async () => {
  const { receiver: hanging, release } = await hangingReceiver();
  const quick = await platform.receiver(answer(200));
  const service = await platform.start();
  await Promise.all(Array.from({ length: 25 }, () => service.request(hanging.uri)));
  await service.request(quick.uri, { webhookId: 8 });
  await waitUntil('the quick delivery', () => resultsFor(service, 8).length === 1);
  expect(service.results).toHaveLength(1);
  expect(hanging.calls).toHaveLength(4);
  release();
  await waitUntil('all of the host', () => service.results.length === 26);
  expect(hanging.calls).toHaveLength(25);
});

test('30 hosts that hang do not keep another account waiting until they answer', async () => {
  const hanging = await Promise.all(Array.from({ length: 30 }, hangingReceiver));
  const quick = await platform.receiver(answer(200));
  const service = await platform.start();
  const accepted = Promise.all(
    hanging.flatMap(({ receiver }) => Array.from({ length: 6 }, () => service.request(receiver.uri))),
  );
  await waitUntil(
    'the room to be taken',
    () => hanging.reduce((sum, { receiver }) => sum + receiver.calls.length, 0) >= 80,
  );
  await service.request(quick.uri, { webhookId: 8, accountId: 'acme' });
  await waitUntil('the quick delivery', () => resultsFor(service, 8).length === 1);
  expect(resultsFor(service, 7)).toEqual([]);
  hanging.forEach(({ release }) => release());
  await accepted;
  await waitUntil('all others', () => resultsFor(service, 7).length === 180);
});

test('of the hosts with due retries the one that had its turn waits for the others', async () => {
  const held: (() => void)[] = [];
  let hangs = false;
  const busy = await platform.receiver((res) => {
    if (hangs) held.push(() => answer(200)(res));
    else answer(500)(res);
  });
  const other = await platform.receiver((res, call) => answer(call === 1 ? 500 : 200)(res));
  const service = await platform.start();
  // So many quick answers that the host may have all calls there are for retries.
  for (let count = 0; count < 100; count += 1) await service.request(busy.uri);
  await waitUntil('the failures', () => service.results.length === 100);
  await service.request(other.uri, { webhookId: 8, accountId: 'acme' });
  await waitUntil('the other failure', () => resultsFor(service, 8).length === 1);
  hangs = true;
  service.pass(5 * second);
  await waitUntil('all calls to be taken', () => held.length === 50);
  held[0]?.();
  await waitUntil('the next call', () => held.length > 50 || other.calls.length > 1);
  expect(other.calls).toHaveLength(2);
});

test('first attempts go before retries of the same host', async () => {
  const { receiver, release } = await hangingReceiver();
  /** Ends the call of each, as its deadline would. */
  const deadlines: (() => void)[] = [];
  const startTimer = (end: () => void) => {
    deadlines.push(end);
    return () => undefined;
  };
  const service = await platform.start({ outbound: createOutbound({ allowInsecure: true, startTimer }) });
  const delivery = (count: number) => Promise.all(Array.from({ length: count }, () => service.request(receiver.uri)));
  // Four calls hang until the deadline: later deliveries wait in the store, and the four become retries.
  await delivery(10);
  await waitUntil('four calls', () => receiver.calls.length === 4);
  service.pass(second);
  for (const end of deadlines.splice(0)) end();
  await waitUntil('four failures', () => service.results.length >= 4);
  service.pass(10 * second);
  await delivery(5);
  release();
  await waitUntil(
    'the successes',
    () => service.results.filter(({ outcome }) => outcome === 'delivered').length === 15,
  );
  const delivered = service.results.filter(({ outcome }) => outcome === 'delivered').map(({ attempt }) => attempt);
  expect(delivered.slice(0, 3)).toEqual([1, 1, 1]);
});

test('the circuit of a dead host opens after a few calls, uses up no attempts of its deliveries, and lets a probe out later', async () => {
  const service = await platform.start();
  const uri = 'http://127.0.0.1:9/hook';
  const ids: string[] = [];
  for (let count = 0; count < 20; count += 1) ids.push((await service.request(uri)).deliveryId);
  await waitUntil('the failures', () => service.results.length >= 5);
  const attempts = async () =>
    (await Promise.all(ids.map((id) => service.stored(id)))).map((one) => one.attempts.length);
  const sum = async () => (await attempts()).reduce((a, b) => a + b);
  const made = await sum();
  expect(made).toBeLessThan(10);
  service.pass(29 * second);
  expect(await sum()).toBe(made);
  service.pass(2 * second);
  await waitUntil('the probe', async () => (await sum()) === made + 1);
  expect(Math.max(...(await attempts()))).toBeLessThanOrEqual(2);
});

test('an account that makes a shared host hang, or loads it, does not delay what others send there', async () => {
  const receiver = await platform.receiver((res, call) => {
    if (call > 4) answer(200)(res);
  });
  const service = await platform.start();
  await Promise.all(
    Array.from({ length: 40 }, () => service.request(receiver.uri, { webhookId: 6, accountId: 'mallory' })),
  );
  await service.request(receiver.uri, { webhookId: 8, accountId: 'acme' });
  await waitUntil('the delivery of the other account', () => resultsFor(service, 8).length === 1);
  expect(resultsFor(service, 6)).toEqual([]);
});

test('while our name server gives no answer, the circuits of hosts stay closed', async () => {
  const receiver = await platform.receiver(answer(200));
  let isDown = true;
  const lookup = () =>
    isDown
      ? Promise.reject(Object.assign(new Error('queryA ECONNREFUSED'), { code: 'ECONNREFUSED' }))
      : Promise.resolve(['127.0.0.1']);
  const service = await platform.start({ outbound: createOutbound({ allowInsecure: true, lookup }) });
  const uri = receiver.uri.replace('127.0.0.1', 'receiver.example');
  for (let count = 0; count < 5; count += 1) await service.request(uri);
  await waitUntil('the failures', () => service.results.length === 5);
  expect(await service.app.metrics.metrics()).toContain('webhook_delivery_hosts{state="well"} 1');
  isDown = false;
  service.pass(5 * second);
  await waitUntil('the deliveries', () => receiver.calls.length === 5);
});

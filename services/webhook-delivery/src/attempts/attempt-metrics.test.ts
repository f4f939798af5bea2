import { waitUntil } from '@itsm/shared/testing/wait-until';
import { answer, resultOf, startPlatform } from '../testing/platform';
import type { Platform } from '../testing/platform';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(() => platform.clear());
afterAll(() => platform.close());

test('metrics show attempts, durations, age, due work and host states, without accounts or addresses of healthy hosts', async () => {
  const receiver = await platform.receiver((res, call) => answer(call === 1 ? 500 : 200)(res));
  const service = await platform.start();
  const { deliveryId } = await service.request(receiver.uri);
  await resultOf(service, 1);
  await service.settled((await service.request(receiver.uri)).deliveryId);
  // Attempts are counted only after the store has acknowledged the result.
  const text = await waitUntil('both attempts to be counted', async () => {
    const present = await service.app.metrics.metrics();
    return present.includes('webhook_delivery_age_seconds_count 1') ? present : undefined;
  });
  expect(text).toContain('webhook_delivery_calls 0');
  expect(text).toContain('webhook_delivery_attempts_total{verdict="retry",fault="receiver"} 1');
  expect(text).toContain('webhook_delivery_attempts_total{verdict="delivered",fault="none"} 1');
  expect(text).toContain('webhook_delivery_attempt_seconds_count{outcome="delivered"} 1');
  expect(text).toContain('webhook_delivery_age_seconds_count 1');
  expect(text).toContain('webhook_delivery_oldest_due_seconds 0');
  expect(text).toContain('webhook_delivery_hosts{state="well"} 1');
  expect(text).not.toContain('127.0.0.1');
  expect(text).not.toContain('wdc');
  expect((await service.stored(deliveryId)).attempts).toHaveLength(1);
});

test('a host with an open circuit is named', async () => {
  const service = await platform.start();
  for (let count = 0; count < 8; count += 1) await service.request('http://127.0.0.1:9/hook');
  await waitUntil('the host to be named', async () =>
    (await service.app.metrics.metrics()).includes('webhook_delivery_host_open{host="127.0.0.1:9"} 1'),
  );
  expect(await service.app.metrics.metrics()).toContain('webhook_delivery_hosts{state="open"} 1');
});

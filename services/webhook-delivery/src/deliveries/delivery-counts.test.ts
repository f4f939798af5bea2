import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { CallerClaims } from '@itsm/shared/api/identity/caller';
import { createOutbound } from '@itsm/shared/outbound/calls/outbound';
import type { Outbound } from '@itsm/shared/outbound/calls/outbound';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import request from 'supertest';
import { answer, long, startPlatform } from '../testing/platform';
import type { Platform, Service } from '../testing/platform';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(() => platform.clear());
afterAll(() => platform.close());

const both: CallerClaims['accounts'] = { wdc: ['account_administrator'], acme: ['account_administrator'] };
const nodeId = (id: number) => toNodeId('service.example', 'Webhook', id);
const hour = 3_600_000;

interface Count {
  readonly at: string;
  readonly p50: number | null;
  readonly p95: number | null;
}
interface Answer {
  readonly data?: { readonly webhookDeliveryCounts: readonly Count[] };
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

async function counts(service: Service, variables: object, account = 'wdc', claims: Partial<CallerClaims> = {}) {
  const query = `query ($webhookId: ID, $from: ISO8601Timestamp!, $until: ISO8601Timestamp!, $bucket: WebhookDeliveryBucket!) {
    webhookDeliveryCounts(webhookId: $webhookId, from: $from, until: $until, bucket: $bucket) {
      at delivered failed stopped pending skipped p50 p95 } }`;
  const { body } = await request(service.app.http)
    .post('/graphql')
    .set('Authorization', `Bearer ${platform.keys.token({ accounts: both, ...claims })}`)
    .set('X-Service-Account', account)
    .send({ query, variables });
  return body as Answer;
}

/** Makes real calls, but reports the duration given by the URL's path, in milliseconds. */
function timed(): Outbound {
  const outbound = createOutbound({ allowInsecure: true, timeoutMilliseconds: long });
  return {
    async send(call) {
      const [, milliseconds] = new URL(call.url).pathname.split('/').map(Number);
      return { ...(await outbound.send(call)), timings: { total: milliseconds ?? 0 } };
    },
    fetchJson: (url, post) => outbound.fetchJson(url, post),
    close: () => outbound.close(),
  };
}

type About = Parameters<Service['request']>[1];

const empty = { delivered: 0, failed: 0, stopped: 0, pending: 0, skipped: 0, p50: null, p95: null };

/** Starts a service whose clock stands at ten minutes past a full hour; `at(n)`: n hours after that hour. */
async function start() {
  const service = await platform.start({ outbound: timed() });
  const receivers = {
    taken: await platform.receiver(answer(200)),
    refused: await platform.receiver(answer(410)),
    failed: await platform.receiver(answer(500)),
  };
  const now = service.now().getTime();
  const begin = now - (now % hour) + hour;
  service.pass(begin + hour / 6 - now);
  const at = (hours: number) => new Date(begin + hours * hour).toISOString().replace('.000Z', 'Z');
  const publish = async (milliseconds: number, how: keyof typeof receivers, about: About = {}) => {
    const { origin } = new URL(receivers[how].uri);
    return (await service.request(`${origin}/${milliseconds}/`, about)).deliveryId;
  };
  const send = async (milliseconds: number, how: keyof typeof receivers = 'taken', about: About = {}) =>
    service.settled(await publish(milliseconds, how, about));
  return { service, at, publish, send };
}

test('deliveries are counted by the hour of arrival and by state, with empty hours', async () => {
  const { service, at, publish, send } = await start();
  await send(20);
  await send(40);
  await send(5_000, 'refused');
  service.pass(2 * hour);
  await publish(1, 'taken', { skipped: 'disabled' });
  await send(10, 'taken', { webhookId: 8 });
  const span = { from: at(0), until: at(3), bucket: 'hour' };
  const [first, second, third, ...others] = (await counts(service, span)).data?.webhookDeliveryCounts ?? [];
  expect(others).toEqual([]);
  expect(first).toMatchObject({ at: at(0), delivered: 2, failed: 1, stopped: 0, pending: 0, skipped: 0 });
  expect(second).toEqual({ ...empty, at: at(1) });
  expect(third).toMatchObject({ at: at(2), delivered: 1, skipped: 1 });
  const [, , ofOne] = (await counts(service, { ...span, webhookId: nodeId(8) })).data?.webhookDeliveryCounts ?? [];
  expect(ofOne).toMatchObject({ delivered: 1, skipped: 0 });
});

test('percentiles are of the last calls, to within 5 %', async () => {
  const { service, at, publish, send } = await start();
  const durations = Array.from({ length: 20 }, (_none, n) => 10 * (n + 1));
  await Promise.all(durations.map((milliseconds) => send(milliseconds)));
  await publish(9_000, 'failed', { skipped: 'disabled' });
  const { data } = await counts(service, { from: at(0), until: at(1), bucket: 'hour' });
  const [{ p50, p95 } = { p50: 0, p95: 0 }] = data?.webhookDeliveryCounts ?? [];
  expect(Math.abs(Number(p50) - 100)).toBeLessThanOrEqual(5.5);
  expect(Math.abs(Number(p95) - 190)).toBeLessThanOrEqual(10.5);
});

test('a delivery that waits for a retry is pending, with the duration of its failed attempt', async () => {
  const { service, at, publish } = await start();
  const id = await publish(300, 'failed');
  await waitUntil('the end of the attempt', async () => !(await service.stored(id)).leased);
  const { data } = await counts(service, { from: at(0), until: at(1), bucket: 'hour' });
  expect(data?.webhookDeliveryCounts).toMatchObject([{ pending: 1, delivered: 0, failed: 0 }]);
  expect(Math.abs(Number(data?.webhookDeliveryCounts[0]?.p50) - 300)).toBeLessThanOrEqual(15);
});

test('a span is exact at both ends; its buckets are full hours and days in UTC', async () => {
  const { service, at, send } = await start();
  await send(20);
  const within = (from: number, until: number, bucket = 'hour') =>
    counts(service, { from: at(from), until: at(until), bucket });
  // The delivery arrived ten minutes past the hour, before `from`.
  expect((await within(0.25, 1.5)).data?.webhookDeliveryCounts).toEqual([0, 1].map((n) => ({ ...empty, at: at(n) })));
  expect((await within(-0.5, 1 / 6)).data?.webhookDeliveryCounts).toEqual(
    [-1, 0].map((n) => ({ ...empty, at: at(n) })),
  );
  expect((await within(1 / 6, 0.5)).data?.webhookDeliveryCounts).toMatchObject([{ at: at(0), delivered: 1 }]);
  const days = (await within(-24, 1, 'day')).data?.webhookDeliveryCounts ?? [];
  expect(days.every((day) => day.at.endsWith('T00:00:00Z'))).toBe(true);
  expect(days.at(-1)).toMatchObject({ delivered: 1 });
});

test('168 hours are a week, whenever it begins', async () => {
  const { service, at } = await start();
  const length = async (from: number, until: number) =>
    (await counts(service, { from: at(from), until: at(until), bucket: 'hour' })).data?.webhookDeliveryCounts.length;
  expect(await length(-168, 0)).toBe(168);
  expect(await length(-168.5, -0.5)).toBe(169);
});

test.each([
  ['too long a span', { from: '2026-01-01T00:00:00Z', until: '2026-01-08T00:00:01Z' }],
  ['too many days', { from: '2026-01-01T00:00:00Z', until: '2026-06-30T00:00:00Z', bucket: 'day' }],
  ['an end before the beginning', { from: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' }],
  ['an end at the beginning', { from: '2026-01-02T00:00:00Z', until: '2026-01-02T00:00:00Z' }],
  ['another bucket', { from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z', bucket: 'minute' }],
  ['a time that is none', { from: 'yesterday', until: '2026-01-02T00:00:00Z' }],
  ['no time', { until: '2026-01-02T00:00:00Z' }],
  ['an id that is none', { from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z', webhookId: { $gt: 0 } }],
])('%s is refused', async (_what, variables) => {
  const { service } = await start();
  const { errors } = await counts(service, { bucket: 'hour', ...variables });
  expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
});

test('another account and an unknown webhook have no counts, and only administrators with the scope may read them', async () => {
  const { service, at, send } = await start();
  await send(20);
  const span = { from: at(0), until: at(1), bucket: 'hour' };
  const none = { data: { webhookDeliveryCounts: [{ ...empty, at: at(0) }] } };
  expect(await counts(service, span, 'acme')).toEqual(none);
  for (const webhookId of ['nonsense', 'x'.repeat(600), nodeId(9)])
    expect(await counts(service, { ...span, webhookId })).toEqual(none);
  const wrong = { scopes: [{ effect: 'allow' as const, actions: ['webhook:Read'] }] };
  for (const claims of [wrong, { accounts: { wdc: ['auditor' as const] } }])
    expect((await counts(service, span, 'wdc', claims)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
});

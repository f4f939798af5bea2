import { waitUntil } from '@itsm/shared/testing/wait-until';
import { answer, body, impatient, link, resultOf, startPlatform, swept } from './testing/platform';
import type { Platform, Service } from './testing/platform';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(() => platform.clear());
afterAll(() => platform.close());

test('a delivery arrives once, with the specified headers and the body as it is', async () => {
  const receiver = await platform.receiver(answer(200));
  const service = await platform.start();
  const { deliveryId } = await service.request(`${receiver.uri}?secret=s1`);
  expect(await resultOf(service, 1)).toEqual({
    deliveryId,
    attempt: 1,
    accountId: 'wdc',
    webhookId: 7,
    test: false,
    at: service.now().toISOString(),
    outcome: 'delivered',
    fault: null,
    status: 200,
    error: null,
    final: true,
    nextAttemptAt: null,
  });
  expect(receiver.calls).toEqual([
    {
      path: '/hook?secret=s1',
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Service/1.0 (https://api.service.example/docs/v1/webhooks)',
        accept: '*/*',
        link,
        'x-service-delivery': deliveryId,
        'x-service-attempt': '1',
        'content-length': String(body.length),
        host: new URL(receiver.uri).host,
        connection: 'keep-alive',
      },
    },
  ]);
});

test('header aliases carry the same values, on every attempt and in the log', async () => {
  const receiver = await platform.receiver((res, call) => answer(call === 1 ? 500 : 200)(res));
  const service = await platform.start({ deliveryHeaderAliases: ['X-Brand', 'X-Other'] });
  const { deliveryId } = await service.request(receiver.uri);
  await resultOf(service, 1);
  service.pass(6_000);
  await service.settled(deliveryId);
  expect(receiver.calls.map(({ headers }) => headers)).toMatchObject(
    ['1', '2'].map((attempt) => ({
      'x-service-delivery': deliveryId,
      'x-service-attempt': attempt,
      'x-brand-delivery': deliveryId,
      'x-brand-attempt': attempt,
      'x-other-delivery': deliveryId,
      'x-other-attempt': attempt,
    })),
  );
  const { operator } = service.app;
  const delivery = await operator.deliveries.find('wdc', deliveryId);
  if (!delivery) throw new Error('the delivery is not stored');
  expect(operator.requests.asSent(delivery)?.headers).toEqual({
    'Content-Type': 'application/json; charset=utf-8',
    Accept: '*/*',
    'User-Agent': 'Service/1.0 (https://api.service.example/docs/v1/webhooks)',
    Link: link,
    'X-Service-Delivery': deliveryId,
    'X-Brand-Delivery': deliveryId,
    'X-Other-Delivery': deliveryId,
  });
  const again = await operator.redeliveries.redeliver('wdc', deliveryId);
  await waitUntil('the redelivery', () => receiver.calls.length === 3);
  expect(receiver.calls[2]?.headers).toMatchObject({
    'x-brand-delivery': again.id,
    'x-brand-attempt': '1',
    'x-brand-delivery-origin': deliveryId,
    'x-other-delivery-origin': deliveryId,
    'x-service-delivery-origin': deliveryId,
  });
});

test('the same request twice, at once and later, is one delivery', async () => {
  const receiver = await platform.receiver(answer(204));
  const service = await platform.start();
  const message = await service.request(receiver.uri);
  await Promise.all([service.publish(message), service.publish(message)]);
  await resultOf(service, 1);
  await service.publish(message);
  service.pass(hour);
  await service.request(receiver.uri, { webhookId: 8 });
  await waitUntil('the other delivery', () => service.results.length === 2);
  expect(receiver.calls.map(({ headers }) => headers['x-service-delivery'])).toHaveLength(2);
});

test('a failed attempt is repeated after 5 s with the same delivery id', async () => {
  const receiver = await platform.receiver((res, call) => answer(call === 1 ? 500 : 200)(res));
  const service = await platform.start();
  const { deliveryId } = await service.request(receiver.uri);
  expect(await resultOf(service, 1)).toMatchObject({ outcome: 'failed', fault: 'receiver', status: 500, final: false });
  service.pass(4_999);
  await swept(service);
  expect(await service.stored(deliveryId)).toMatchObject({ leased: false, fence: 1 });
  expect(receiver.calls).toHaveLength(1);
  service.pass(1);
  expect(await resultOf(service, 2)).toMatchObject({ outcome: 'delivered', final: true });
  expect(receiver.calls.map(({ headers }) => [headers['x-service-delivery'], headers['x-service-attempt']])).toEqual([
    [deliveryId, '1'],
    [deliveryId, '2'],
  ]);
});

test('a process that only prepares the store subscribes to nothing and attempts nothing', async () => {
  const receiver = await platform.receiver(answer(500));
  const first = await platform.start();
  await first.request(receiver.uri);
  await resultOf(first, 1);
  await first.crash();
  first.pass(minute);
  const preparing = await first.another({ onlyPrepare: true });
  await expect(preparing.request(receiver.uri)).rejects.toThrow('no subscriber');
  // Wait for a full sweep of a started process: the prepared one had the same time to attempt something.
  await swept(await platform.start());
  expect([preparing.sweeps(), preparing.looks()]).toEqual([0, 0]);
  expect(receiver.calls).toHaveLength(1);
  await preparing.app.start();
  await waitUntil('the attempts', () => receiver.calls.length === 2);
});

test('after ten attempts on the schedule the delivery has failed', async () => {
  const receiver = await platform.receiver(answer(500));
  const service = await platform.start();
  const { deliveryId } = await service.request(receiver.uri);
  const delays: number[] = [];
  for (let attempt = 1; attempt < 10; attempt += 1) {
    expect(await resultOf(service, attempt)).toMatchObject({ final: false });
    const { dueAt } = await service.stored(deliveryId);
    delays.push((dueAt?.getTime() ?? 0) - service.now().getTime());
    service.pass(delays.at(-1) ?? 0);
  }
  expect(await resultOf(service, 10)).toMatchObject({ outcome: 'failed', final: true });
  expect(delays).toEqual([5 * second, 5 * minute, 30 * minute, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour)]);
  expect(await service.stored(deliveryId)).toMatchObject({ state: 'failed', dueAt: null });
  service.pass(48 * hour);
  await swept(service);
  expect(await service.stored(deliveryId)).toMatchObject({ state: 'failed', fence: 10 });
  expect(receiver.calls).toHaveLength(10);
});

test.each([
  ['earliest', 0, 4_000],
  ['latest', 1, 6_000],
])('retries are spread by 20 %%: the %s', async (_which, random, delay) => {
  const receiver = await platform.receiver(answer(500));
  const service = await platform.start({ random: () => random });
  const { deliveryId } = await service.request(receiver.uri);
  await resultOf(service, 1);
  const { dueAt } = await service.stored(deliveryId);
  expect(dueAt?.getTime()).toBe(service.now().getTime() + delay);
});

test.each([
  ['429 with seconds', 429, () => '90', 90 * second],
  ['503 with a date', 503, (now: Date) => new Date(now.getTime() + 120_000).toUTCString(), 120 * second],
  ['more than a day', 429, () => '999999', 24 * hour],
  ['less than the schedule', 429, () => '1', 5 * second],
  ['nonsense', 503, () => 'soon', 5 * second],
  ['another status', 500, () => '90', 5 * second],
] as const)('Retry-After: %s', async (_form, status, retryAfter, expected) => {
  const clock: { service?: Service } = {};
  const receiver = await platform.receiver((res) => {
    res.writeHead(status, { 'Retry-After': retryAfter(clock.service?.now() ?? new Date()) }).end();
  });
  const service = (clock.service = await platform.start());
  const { deliveryId } = await service.request(receiver.uri);
  await resultOf(service, 1);
  const { dueAt } = await service.stored(deliveryId);
  const delay = (dueAt?.getTime() ?? 0) - service.now().getTime();
  // HTTP dates have whole seconds.
  expect(Math.abs(delay - expected)).toBeLessThan(second);
});

test('410 ends the delivery at once', async () => {
  const receiver = await platform.receiver(answer(410));
  const service = await platform.start();
  const { deliveryId } = await service.request(receiver.uri);
  expect(await resultOf(service, 1)).toMatchObject({ outcome: 'failed', status: 410, final: true });
  expect(await service.stored(deliveryId)).toMatchObject({ state: 'failed' });
});

test('a redirect is a failure and is not followed', async () => {
  const target = await platform.receiver(answer(200));
  const receiver = await platform.receiver((res) => res.writeHead(302, { Location: target.uri }).end());
  const service = await platform.start();
  await service.request(receiver.uri);
  expect(await resultOf(service, 1)).toMatchObject({ outcome: 'failed', status: 302, final: false });
  expect(target.calls).toEqual([]);
});

test('a receiver that hangs is a timeout of the receiver', async () => {
  const receiver = await platform.receiver(() => {});
  const service = await platform.start(impatient());
  await service.request(receiver.uri);
  expect(await resultOf(service, 1)).toMatchObject({
    outcome: 'failed',
    fault: 'receiver',
    status: null,
    error: 'No answer in time',
    final: false,
  });
});

test('an address inside the network is refused and retried on the slow part of the schedule only', async () => {
  const service = await platform.start();
  const { deliveryId } = await service.request('http://169.254.169.254/latest/meta-data');
  expect(await resultOf(service, 1)).toMatchObject({
    outcome: 'failed',
    fault: 'receiver',
    status: null,
    error: 'The host is not a public address',
    final: false,
  });
  const { dueAt } = await service.stored(deliveryId);
  expect(dueAt?.getTime()).toBe(service.now().getTime() + 30 * minute);
});

test('a request that no key opens is an internal fault', async () => {
  const service = await platform.start();
  const { sealed } = await service.request('http://127.0.0.1:9/');
  await service.request('http://127.0.0.1:9/', { sealed, webhookId: 9 });
  const result = await waitUntil('its result', () => service.results.find(({ webhookId }) => webhookId === 9));
  expect(result).toMatchObject({ outcome: 'failed', fault: 'ours', status: null, final: false });
});

test('stopping lets the attempt on the wire finish and starts nothing more', async () => {
  let release = () => {};
  const receiver = await platform.receiver((res) => {
    release = () => answer(200)(res);
  });
  const service = await platform.start();
  const { deliveryId } = await service.request(receiver.uri);
  await waitUntil('the call', () => receiver.calls.length === 1);
  const stopping = service.app.stop();
  const late = await service.request(receiver.uri);
  release();
  await stopping;
  expect(await service.stored(deliveryId)).toMatchObject({ state: 'delivered' });
  expect(await service.stored(late.deliveryId)).toMatchObject({ state: 'pending', attempts: [] });
  expect(receiver.calls).toHaveLength(1);
});

test('a success costs the store two writes, and each attempt is one line of log', async () => {
  const receiver = await platform.receiver(answer(200));
  const service = await platform.start();
  const attempted = (count: number) =>
    waitUntil(`attempt ${count} in the log`, () => (service.log.length >= count ? service.log : undefined));
  await service.request(receiver.uri, { webhookId: 8 });
  await attempted(1);
  const before = service.writes();
  const { deliveryId } = await service.request(receiver.uri);
  await attempted(2);
  expect(service.writes() - before).toBe(2);
  // Inserted with a lease, so no claim raised the fence.
  expect(await service.stored(deliveryId)).toMatchObject({ fence: 1, state: 'delivered' });
  const lines = service.log.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.slice(1)).toMatchObject([
    { message: 'delivery attempted', deliveryId, number: 1, outcome: 'delivered', status: 200, verdict: 'delivered' },
  ]);
});

test('neither the store nor the log holds a secret of the address or the body', async () => {
  const receiver = await platform.receiver(answer(500));
  const service = await platform.start();
  const secret = 'c4nary-in-the-address';
  const uri = new URL(receiver.uri);
  Object.assign(uri, { username: 'user', password: secret, search: `?key=${secret}` });
  const { deliveryId } = await service.request(uri.href);
  await resultOf(service, 1);
  expect(receiver.calls[0]?.headers.authorization).toBe(`Basic ${Buffer.from(`user:${secret}`).toString('base64')}`);
  const dump = JSON.stringify(await service.stored(deliveryId)) + service.log.join('\n');
  expect(dump).not.toContain(secret);
  expect(dump).not.toContain(Buffer.from(`user:${secret}`).toString('base64'));
  expect(dump).not.toContain('webhook_id');
});

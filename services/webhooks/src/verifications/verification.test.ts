import { accountUrl, startEngines, startService, day } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { activeWebhook, bodyOf, callbackIn, input, open, register, show } from '../testing/webhook-steps';

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

const codeIn = (callback: string): string => new URL(callback, 'http://x').searchParams.get('code') ?? '';

test('a new webhook is unverified and its address gets webhook.verify at once', async () => {
  const { id, state } = await register(service, 'wdc', { name: 'Mirror' });
  expect(state).toBe('unverified');
  const [verify] = await service.deliveriesOf(id);
  expect(verify).toMatchObject({ event: 'webhook.verify', accountId: 'wdc', test: false, uri: input.uri });
  expect(verify?.body).toMatchObject({ webhook_id: id, name: 'Mirror', event: 'webhook.verify', object_id: id });
  expect(verify?.body.payload['callback']).toMatch(
    new RegExp(`^${accountUrl('wdc')}/webhooks/${id}/verify\\?code=[A-Za-z0-9_-]{24}&expires_at=1773947046$`),
  );
  expect(verify?.link).toBe(
    `<${accountUrl('wdc')}/webhooks/${id}>; rel="canonical", <https://api.example/v1/webhooks/${id}>; rel="resource"`,
  );
});

test.each(['get', 'post'] as const)('the callback by %s makes the webhook active and says so', async (method) => {
  const { id } = await register(service, 'wdc', { name: '<b>Mirror</b>' });
  const [verify] = await service.deliveriesOf(id);
  const answer = await open(service, callbackIn(verify), method).set('Accept', 'text/html').expect(200);
  expect(answer.text).toContain('Verification successful');
  expect(answer.text).toContain('&lt;b&gt;Mirror&lt;/b&gt;');
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-/) as string,
  });
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'active' });
});

test('a callback that asks for JSON gets JSON', async () => {
  const { id } = await register(service, 'wdc');
  const [verify] = await service.deliveriesOf(id);
  const callback = callbackIn(verify);
  const body = bodyOf(await open(service, callback).set('Accept', 'application/json').expect(200));
  expect(body).toEqual({ message: 'Verification successful', webhook_id: id });
  await open(service, callback).set('Accept', 'application/json').expect(404, { message: 'Not Found' });
});

test('a code works once', async () => {
  const { id } = await register(service, 'wdc');
  const [verify] = await service.deliveriesOf(id);
  await open(service, callbackIn(verify)).expect(200);
  const { updated_at } = await show(service, 'wdc', id);
  service.pass(1_000);
  const answer = await open(service, callbackIn(verify)).expect(404);
  expect(answer.text).toContain('This link does not work');
  expect(answer.text).toMatch(/<a href="[^"]*\/accounts\/wdc\/webhooks">Open the webhooks in the console<\/a>/);
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'active', updated_at });
});

test('of many callbacks at once with one code exactly one succeeds', async () => {
  const { id } = await register(service, 'wdc');
  const [verify] = await service.deliveriesOf(id);
  const answers = await Promise.all(Array.from({ length: 12 }, () => open(service, callbackIn(verify))));
  const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
  expect(statuses).toEqual([200, ...Array.from({ length: 11 }, () => 404)]);
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'active' });
});

test('a code is valid for 24 hours and no longer', async () => {
  const late = await register(service, 'wdc');
  const inTime = await register(service, 'acme');
  const [lateVerify] = await service.deliveriesOf(late.id);
  const [inTimeVerify] = await service.deliveriesOf(inTime.id);
  service.pass(day - 1);
  await open(service, callbackIn(inTimeVerify)).expect(200);
  service.pass(1);
  await open(service, callbackIn(lateVerify)).expect(404);
  // The stored expiry decides, not the one in the query.
  await open(service, callbackIn(lateVerify).replace(/expires_at=\d+/, 'expires_at=9999999999')).expect(404);
  expect(await show(service, 'wdc', late.id)).toMatchObject({ state: 'unverified' });
});

test('wrong codes, and codes of other webhooks and accounts, prove nothing', async () => {
  const { id } = await register(service, 'wdc');
  const other = await register(service, 'wdc', { uri: 'https://other.example/' });
  const [verify] = await service.deliveriesOf(id);
  const callback = callbackIn(verify);
  const wrong = [
    callback.replace(/code=[^&]+/, `code=${'A'.repeat(24)}`),
    callback.replace(/code=[^&]+/, 'code=short'),
    callback.replace(/code=[^&]+&/, ''),
    `${callback}&code=${codeIn(callback)}`,
    callback.replace('/accounts/wdc/', '/accounts/acme/'),
    callback.replace(`/webhooks/${id}/`, `/webhooks/${other.id}/`),
    callback.replace(`/webhooks/${id}/`, '/webhooks/0/'),
    callback.replace(`/webhooks/${id}/`, '/webhooks/x/'),
    callback.replace(`/webhooks/${id}/`, '/webhooks/99999999999999999999/'),
  ];
  for (const path of wrong) await open(service, path).expect(404);
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'unverified' });
  expect(await show(service, 'wdc', other.id)).toMatchObject({ state: 'unverified' });
  await open(service, callback).expect(200);
});

test('looking ahead with HEAD does not use up the code', async () => {
  const { id } = await register(service, 'wdc');
  const [verify] = await service.deliveriesOf(id);
  await open(service, callbackIn(verify), 'head').expect(405).expect('Allow', 'GET, POST');
  await open(service, callbackIn(verify), 'put').expect(405);
  await open(service, callbackIn(verify)).expect(200);
});

test('a second webhook with an address that the account has verified needs no proof', async () => {
  const first = await activeWebhook(service, 'wdc');
  const second = await register(service, 'wdc', { event: 'task.create' });
  expect(second.state).toBe('active');
  const otherAddress = await register(service, 'wdc', { uri: `${first.uri}?a=1` });
  expect(otherAddress.state).toBe('unverified');
  const otherAccount = await register(service, 'acme');
  expect(otherAccount.state).toBe('unverified');
  await service.deliveriesOf(otherAccount.id);
  expect(service.deliveries.filter(({ webhookId }) => webhookId === second.id)).toEqual([]);
});

test('an address that only unverified or deleted webhooks have still needs proof', async () => {
  await register(service, 'wdc');
  expect((await register(service, 'wdc')).state).toBe('unverified');
  const { id } = await activeWebhook(service, 'acme');
  await service.as('acme').delete(`/v1/webhooks/${id}`).expect(204);
  expect((await register(service, 'acme')).state).toBe('unverified');
});

test('updating an unverified webhook sends a fresh code valid for 24 hours and kills the old one', async () => {
  const { id } = await register(service, 'wdc');
  const [first] = await service.deliveriesOf(id);
  service.pass(23 * 60 * 60 * 1_000);
  await service.as('wdc').patch(`/v1/webhooks/${id}`, { name: 'Renamed' }).expect(200);
  const [, second] = await service.deliveriesOf(id, 2);
  expect(codeIn(callbackIn(second))).not.toBe(codeIn(callbackIn(first)));
  await open(service, callbackIn(first)).expect(404);
  service.pass(day - 1);
  await open(service, callbackIn(second)).expect(200);
});

test('webhook.verify is sent again on request, with a fresh code, within 24 hours', async () => {
  const { id } = await register(service, 'wdc');
  const [first] = await service.deliveriesOf(id);
  service.pass(day - 1);
  await service.as('wdc').post(`/v1/webhooks/${id}/verify`).expect(204);
  const [, second] = await service.deliveriesOf(id, 2);
  await open(service, callbackIn(first)).expect(404);
  service.pass(1);
  await service.as('wdc').post(`/v1/webhooks/${id}/verify/`).expect(409);
  await open(service, callbackIn(second)).expect(200);
  await service.as('wdc').post(`/v1/webhooks/${id}/verify`).expect(409);
});

test('a webhook.verify that still waits is given up once it is replaced or its code was used', async () => {
  const { id } = await register(service, 'wdc');
  const [first] = await service.deliveriesOf(id);
  service.pass(1_000);
  await service.as('wdc').post(`/v1/webhooks/${id}/verify`).expect(204);
  const [, second] = await service.deliveriesOf(id, 2);
  const [replaced] = await service.verifyStopsOf(id);
  expect(replaced).toMatchObject({ accountId: 'wdc', reason: 'verification_replaced', event: 'webhook.verify' });
  expect(Date.parse(replaced?.at ?? '')).toBeGreaterThan(Date.parse(first?.at ?? ''));
  // Its replacement has the same time as the stop, which applies only to earlier requests.
  expect(replaced?.at).toBe(second?.at);
  service.pass(1_000);
  await open(service, callbackIn(second)).expect(200);
  const [, used] = await service.verifyStopsOf(id, 2);
  expect(used).toMatchObject({ reason: 'verified', event: 'webhook.verify' });
});

test('a new address voids the proof until its own callback is received', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  service.pass(3 * day);
  const body = bodyOf(await service.as('wdc').patch(`/v1/webhooks/${id}`, { uri: 'https://new.example/' }).expect(200));
  expect(body).toMatchObject({ state: 'unverified', uri: 'https://new.example/' });
  const stops = await service.stopsOf(id);
  expect(stops).toMatchObject([{ accountId: 'wdc', reason: 'uri_changed' }]);
  const [first, second] = await service.deliveriesOf(id, 2);
  expect(second).toMatchObject({ event: 'webhook.verify', uri: 'https://new.example/' });
  expect(second?.at).toBe(stops[0]?.at);
  await open(service, callbackIn(first)).expect(404);
  await service.as('wdc').post(`/v1/webhooks/${id}/verify`).expect(204);
  const [, , third] = await service.deliveriesOf(id, 3);
  await open(service, callbackIn(third)).expect(200);
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'active' });
});

test('updating a verified webhook without touching its address keeps it active', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  const changes = { name: 'Other', event: 'task.create', uri: input.uri };
  const body = bodyOf(await service.as('wdc').patch(`/v1/webhooks/${id}`, changes).expect(200));
  expect(body).toMatchObject({ state: 'active', name: 'Other', event: 'task.create' });
  expect(service.deliveries).toHaveLength(1);
});

test('a disabled webhook that was never verified asks for proof when it is enabled', async () => {
  const { id } = await register(service, 'wdc');
  const [first] = await service.deliveriesOf(id);
  await service.as('wdc').patch(`/v1/webhooks/${id}`, { disabled: true }).expect(200);
  await open(service, callbackIn(first)).expect(404);
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'disabled' });
  await service.as('wdc').patch(`/v1/webhooks/${id}`, { disabled: false }).expect(200);
  const [, second] = await service.deliveriesOf(id, 2);
  await open(service, callbackIn(second)).expect(200);
});

test('a callback and a change of address at once never leave the new address verified', async () => {
  const { id } = await register(service, 'wdc');
  const [verify] = await service.deliveriesOf(id);
  await Promise.all([
    open(service, callbackIn(verify)),
    service.as('wdc').patch(`/v1/webhooks/${id}`, { uri: 'https://new.example/' }).expect(200),
  ]);
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'unverified', uri: 'https://new.example/' });
});

test('of several resends at once only the newest code is left', async () => {
  const { id } = await register(service, 'wdc');
  service.pass(1_000);
  const path = `/v1/webhooks/${id}/verify`;
  const answers = await Promise.all(Array.from({ length: 4 }, () => service.as('wdc').post(path)));
  const resent = answers.filter(({ status }) => status === 204).length;
  expect(resent).toBeGreaterThan(0);
  expect(answers.every(({ status }) => status === 204 || status === 409)).toBe(true);
  const statuses: number[] = [];
  for (const delivery of await service.deliveriesOf(id, 1 + resent))
    statuses.push((await open(service, callbackIn(delivery))).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
});

test('an address that was proven, left and taken again needs proof again, with a code of its own', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  const change = (uri: string) => service.as('wdc').patch(`/v1/webhooks/${id}`, { uri }).expect(200);
  await change('https://new.example/');
  expect(bodyOf(await change(input.uri))).toMatchObject({ state: 'unverified', uri: input.uri });
  const [first, second, third] = await service.deliveriesOf(id, 3);
  for (const dead of [first, second]) await open(service, callbackIn(dead)).expect(404);
  await service.as('wdc').patch(`/v1/webhooks/${id}`, { disabled: true }).expect(200);
  await service.as('wdc').patch(`/v1/webhooks/${id}`, { disabled: false }).expect(200);
  await open(service, callbackIn(third)).expect(404);
  const [, , , fourth] = await service.deliveriesOf(id, 4);
  await open(service, callbackIn(fourth)).expect(200);
});

test.each([
  ['a slash at the end', 'https://receiver.example/hook/'],
  ['the default port', 'https://receiver.example:443/hook'],
  ['capitals in the host', 'https://Receiver.example/hook'],
  ['percent-encoding', 'https://receiver.example/%68ook'],
  ['an empty query', 'https://receiver.example/hook?'],
  ['a user name', 'https://user@receiver.example/hook'],
])('an address that differs by %s is another one', async (_what, uri) => {
  await activeWebhook(service, 'wdc');
  expect((await register(service, 'wdc', { uri })).state).toBe('unverified');
});

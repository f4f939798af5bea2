import { createTestClock } from '@itsm/shared/testing/test-clock';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

let gateway: StartedGateway;
const clock = createTestClock();
beforeAll(async () => {
  gateway = await startGateway({
    env: { TRUSTED_PROXIES: '127.0.0.1' },
    now: clock.now,
  });
});
afterAll(() => gateway.close());

const from = (address: string, more: Record<string, string> = {}) => ({
  'x-forwarded-for': address,
  'x-forwarded-proto': 'https',
  ...more,
});
const post = (headers: Record<string, string>, path = '/oauth/sign-in') =>
  fetch(gateway.url + path, { method: 'POST', headers, body: new URLSearchParams({ email: 'a@b.example' }) });
const statusOf = async (sent: Promise<Response>): Promise<number> => (await sent).status;

test('while auth refuses all sign-ins of a network the gateway refuses them itself, and only for that network', async () => {
  gateway.auth.refuseSignIns({ status: 429, headers: { 'retry-after': '3', 'x-network-refused-seconds': '1' } });
  const first = await post(from('198.51.100.1'));
  expect(first.status).toBe(429);
  expect(first.headers.get('x-network-refused-seconds')).toBeNull();
  gateway.auth.refuseSignIns(undefined);

  const refused = await post(from('198.51.100.1'));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(refused.headers.get('content-type')).toContain('text/html');
  expect(await refused.text()).toContain('Too many sign-ins at once');
  // A valid sign-in from another network, or from a browser that has signed in before, is decided by auth.
  expect(await statusOf(post(from('198.51.100.2')))).toBe(200);
  for (const cookie of ['known-browser=x', 'a=b; __Host-known-browser=x'])
    expect(await statusOf(post(from('198.51.100.1', { cookie })))).toBe(200);
  expect(await statusOf(post(from('198.51.100.1', { cookie: 'unknown-browser=x' })))).toBe(429);
  expect(await statusOf(post(from('198.51.100.1'), '/oauth/sign-out'))).toBe(200);
  expect(await statusOf(gateway.get('/oauth/sign-in', from('198.51.100.1')))).toBe(200);

  clock.pass(1_000);
  expect(await statusOf(post(from('198.51.100.1')))).toBe(200);
});

test('the refusal of one person, or any other answer, does not block the network', async () => {
  gateway.auth.refuseSignIns({ status: 429, headers: { 'retry-after': '900' } });
  expect(await statusOf(post(from('198.51.100.3')))).toBe(429);
  gateway.auth.refuseSignIns({ status: 429, headers: { 'x-network-refused-seconds': 'x' } });
  expect(await statusOf(post(from('198.51.100.3')))).toBe(429);
  gateway.auth.refuseSignIns(undefined);
  expect(await statusOf(post(from('198.51.100.3')))).toBe(200);
  gateway.auth.refuseSignIns({ status: 429, headers: { 'x-network-refused-seconds': '3600' } });
  expect(await statusOf(post(from('198.51.100.3')))).toBe(429);
  gateway.auth.refuseSignIns(undefined);
  clock.pass(5_000);
  expect(await statusOf(post(from('198.51.100.3')))).toBe(200);
});

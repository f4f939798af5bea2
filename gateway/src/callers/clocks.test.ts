import { createLogger } from '@itsm/shared/observing/logs/logger';
import { clockSkew } from '@itsm/shared/observing/metrics/metrics';
import { createTestClock } from '@itsm/shared/testing/test-clock';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startGateway } from '../testing/start-gateway';
import type { StartOptions, StartedGateway } from '../testing/start-gateway';

const opened: StartedGateway[] = [];
const start = async (options: StartOptions = {}) => {
  const gateway = await startGateway(options);
  opened.push(gateway);
  return gateway;
};
afterAll(() => Promise.all(opened.map((gateway) => gateway.close())));

const tenMinutes = 600;
const as = (token: string) => ({ authorization: `Bearer ${token}`, 'x-service-account': 'wdc' });

test('a service that refuses a vouched caller makes a 503 and an error line, in REST and GraphQL', async () => {
  const lines: string[] = [];
  const gateway = await start({ logger: createLogger('gateway', 'info', (line) => lines.push(line)) });
  // What auth gives out when its clock is ten minutes behind.
  const token = gateway.auth.issue({ exp: gateway.now - tenMinutes + 60 });
  const answer = await gateway.post(token, { query: '{ requests(first: 1) { totalCount } }' });
  expect(answer.status).not.toBe(401);
  const { errors } = (await answer.json()) as { errors: { extensions: { code: string } }[] };
  expect(errors.map(({ extensions }) => extensions.code)).toEqual(['SERVICE_UNAVAILABLE']);
  expect(lines.filter((line) => line.includes('auth has vouched for'))).toEqual([
    expect.stringContaining('"level":"error"'),
  ]);
  const rest = await gateway.get('/v1/requests/refused', as(gateway.auth.issue()));
  expect(rest.status).toBe(503);
  expect(await rest.json()).toEqual({ message: 'Service Unavailable' });
  expect(lines.filter((line) => line.includes('auth has vouched for'))).toHaveLength(2);
  // Another sign-in is the client's to do (RFC 9470).
  const challenged = await gateway.get('/v1/requests/challenged', as(gateway.auth.issue()));
  expect(challenged.status).toBe(401);
  expect(challenged.headers.get('x-service-time')).toBeNull();
});

test.each([
  ['a minute behind', -70],
  ['ten minutes ahead', tenMinutes],
])('with auth %s good tokens work, and a revoked one is refused at once', async (_what, seconds) => {
  const gateway = await start();
  const token = gateway.auth.issue({ exp: gateway.now + seconds + 60 });
  const query = { query: '{ requests(first: 1) { totalCount } }' };
  for (let call = 0; call < 3; call += 1) {
    const answer = await gateway.post(token, query);
    expect(answer.status).toBe(200);
    expect(await answer.json()).not.toHaveProperty('errors');
  }
  gateway.auth.revoke(token);
  await gateway.coordination.bump(['revision:account:wdc']);
  expect((await gateway.post(token, query)).status).toBe(401);
});

test.each([-tenMinutes, tenMinutes])(
  'the gateway %d s wrong answers good tokens, and keeps no caller longer',
  async (seconds) => {
    const clock = createTestClock();
    clock.pass(seconds * 1_000);
    const gateway = await start({ now: clock.now });
    const token = gateway.auth.issue({ exp: gateway.now + 60 });
    gateway.auth.answerExpiry(token, 60);
    const ask = () => gateway.get('/v1/requests', as(token));
    for (let call = 0; call < 3; call += 1) expect((await ask()).status).toBe(200);
    const asked = gateway.auth.asked();
    expect((await ask()).status).toBe(200);
    expect(gateway.auth.asked()).toBe(asked);
    // Forty seconds after it was introspected a caller is looked up again, by durations alone.
    clock.pass(40_000);
    gateway.auth.revoke(token);
    expect((await ask()).status).toBe(401);
  },
);

test.each([-tenMinutes, tenMinutes])('the metric names the service whose clock is %d s wrong', async (seconds) => {
  const clock = createTestClock();
  const gateway = await start({ now: clock.now });
  gateway.auth.setServiceTime(() => new Date(clock.now().getTime() + seconds * 1_000));
  const skews = async () => {
    const { values } = await clockSkew.get();
    return Object.fromEntries(values.map(({ labels, value }) => [String(labels.peer), value]));
  };
  await waitUntil('the next poll', async () => (await skews())['auth'] === seconds);
  expect((await skews())['graph'] ?? 0).toBe(0);
});

import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { remainingTimeHeader } from '@itsm/shared/api/http/departure';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { largeCallNodes } from '../callers/calls-in-flight';
import { createTestClock } from '@itsm/shared/testing/test-clock';
import { startGateway } from '../testing/start-gateway';
import { patienceMilliseconds } from './breaker';

/** Longer than the calls take on any machine. */
const deadlineMilliseconds = 60_000;
const heldMilliseconds = 50;
/** In this time a service answers that does not hang. */
const answeredWithin = 2_000;

test('a service gets the time that the call has left after admission', async () => {
  const gateway = await startGateway();
  /** How long the introspection was held in fact, since the deadline is one of real time. */
  let held = Infinity;
  const slowAuth = createServer((req, res) => {
    const begin = performance.now();
    const headers = { ...req.headers, host: new URL(gateway.authServer.url).host };
    const passOn = request(gateway.authServer.url + req.url, { method: req.method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    if (req.url !== '/internal/introspect') return void req.pipe(passOn);
    setTimeout(() => {
      held = performance.now() - begin;
      req.pipe(passOn);
    }, heldMilliseconds);
  });
  await once(slowAuth.listen(0, '127.0.0.1'), 'listening');
  const { port } = slowAuth.address() as AddressInfo;
  const env = { AUTH_URL: `http://127.0.0.1:${port}` };
  const slow = await startGateway({ deadlineMilliseconds, env });
  const headers = () => ({ authorization: `Bearer ${gateway.auth.issue()}`, 'x-service-account': 'wdc' });
  const echo = (await (await slow.get('/v1/webhooks/1', headers())).json()) as { headers: Record<string, string> };
  const left = Number(echo.headers[remainingTimeHeader]);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(Math.ceil(deadlineMilliseconds - held));
  await slow.close();
  const impatient = await startGateway({ deadlineMilliseconds: 10 * heldMilliseconds, env });
  expect((await impatient.get('/v1/webhooks/silent', headers())).status).toBe(503);
  await impatient.close();
  slowAuth.close();
  await gateway.close();
});

const large = Array.from({ length: largeCallNodes / 100 }, (_none, n) => `a${n}: requests(first: 100) { totalCount }`);

test.each([
  ['a call of GraphQL', '/graphql', '{ requests(first: 1) { totalCount } }'],
  ['a large call', '/graphql', `{ ${large.join(' ')} }`],
  ['a call of REST', '/v1/requests', undefined],
])('when the deadline of %s has passed, the request to the service is aborted', async (_what, path, query) => {
  const gateway = await startGateway({ deadlineMilliseconds: 1_500 });
  gateway.graph.hang();
  const answer = await fetch(gateway.url + path, {
    method: query === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${gateway.auth.issue()}`,
      'x-service-account': 'wdc',
      'content-type': 'application/json',
    },
    ...(query !== undefined && { body: JSON.stringify({ query }) }),
  });
  expect(answer.status).toBe(503);
  expect(gateway.graph.asked()).toBe(1);
  await waitUntil('the service to be left', () => gateway.graph.abandoned() === 1);
  await gateway.close();
});

test('a service that hangs nulls its own fields, and after five calls the breaker saves the wait', async () => {
  const clock = createTestClock();
  const impatient = await startGateway({ deadlineMilliseconds: answeredWithin, now: clock.now });
  impatient.graph.hang();
  const token = impatient.auth.issue();
  const ask = () => impatient.post(token, { query: '{ me { id } requests(first: 1) { totalCount } }' });
  const expected = {
    data: { me: { id: '1' }, requests: null },
    errors: [{ message: 'Service Unavailable', path: ['requests'], extensions: { code: 'SERVICE_UNAVAILABLE' } }],
  };
  for (let call = 0; call < 4; call += 1) expect(await (await ask()).json()).toEqual(expected);
  clock.pass(patienceMilliseconds);
  expect(await (await ask()).json()).toEqual(expected);
  const asked = impatient.graph.asked();
  for (let call = 0; call < 5; call += 1) expect(await (await ask()).json()).toEqual(expected);
  expect(impatient.graph.asked()).toBe(asked);
  await impatient.close();
});

test('a service that does not answer in time is a timeout', async () => {
  const impatient = await startGateway({ deadlineMilliseconds: answeredWithin });
  const headers = { authorization: `Bearer ${impatient.auth.issue()}`, 'x-service-account': 'wdc' };
  const response = await impatient.get('/v1/webhooks/silent', headers);
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ message: 'Service Unavailable' });
  expect((await impatient.get('/v1/webhooks/1', headers)).status).toBe(200);
  await impatient.close();
});

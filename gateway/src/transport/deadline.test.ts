import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { remainingTimeHeader } from '@itsm/shared/api/http/departure';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { largeCallNodes } from '../callers/calls-in-flight';
import { startGateway } from '../testing/start-gateway';

const deadlineMilliseconds = 3_000;
const heldMilliseconds = 500;

test('a service gets the time that the call has left after admission', async () => {
  const gateway = await startGateway();
  const slowAuth = createServer((req, res) => {
    const headers = { ...req.headers, host: new URL(gateway.authServer.url).host };
    const passOn = request(gateway.authServer.url + req.url, { method: req.method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    setTimeout(() => req.pipe(passOn), req.url === '/internal/introspect' ? heldMilliseconds : 0);
  });
  await once(slowAuth.listen(0, '127.0.0.1'), 'listening');
  const { port } = slowAuth.address() as AddressInfo;
  const slow = await startGateway({ deadlineMilliseconds, env: { AUTH_URL: `http://127.0.0.1:${port}` } });
  const headers = () => ({ authorization: `Bearer ${gateway.auth.issue()}`, 'x-service-account': 'wdc' });
  const echo = (await (await slow.get('/v1/webhooks/1', headers())).json()) as { headers: Record<string, string> };
  // A timer may fire a millisecond early.
  expect(Number(echo.headers[remainingTimeHeader])).toBeLessThanOrEqual(deadlineMilliseconds - heldMilliseconds + 1);
  expect((await slow.get('/v1/webhooks/silent', headers())).status).toBe(503);
  await slow.close();
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

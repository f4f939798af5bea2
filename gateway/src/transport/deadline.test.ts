import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { largeCallNodes } from '../callers/calls-in-flight';
import { startGateway } from '../testing/start-gateway';

test('a call is answered in time when the way to the caller took most of it', async () => {
  const gateway = await startGateway();
  const slowAuth = createServer((req, res) => {
    const headers = { ...req.headers, host: new URL(gateway.authServer.url).host };
    const passOn = request(gateway.authServer.url + req.url, { method: req.method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    setTimeout(() => req.pipe(passOn), req.url === '/internal/introspect' ? 2_500 : 0);
  });
  await once(slowAuth.listen(0, '127.0.0.1'), 'listening');
  const { port } = slowAuth.address() as AddressInfo;
  const slow = await startGateway({ deadlineMilliseconds: 3_000, env: { AUTH_URL: `http://127.0.0.1:${port}` } });
  const headers = { authorization: `Bearer ${gateway.auth.issue()}`, 'x-service-account': 'wdc' };
  const started = performance.now();
  const response = await slow.get('/v1/webhooks/silent', headers);
  expect(response.status).toBe(503);
  expect(performance.now() - started).toBeLessThan(5_000);
  await slow.close();
  slowAuth.close();
  await gateway.close();
});

const large = Array.from({ length: largeCallNodes / 100 }, (_none, n) => `a${n}: requests(first: 100) { totalCount }`);

test.each([
  ['a call of GraphQL', '/graphql', '{ requests(first: 1) { totalCount } }'],
  ['a large call', '/graphql', `{ ${large.join(' ')} }`],
  ['a call of REST', '/v1/requests', undefined],
])('when the time of %s is over, the service is left as well', async (_what, path, query) => {
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

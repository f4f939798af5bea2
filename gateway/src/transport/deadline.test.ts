import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
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

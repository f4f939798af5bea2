import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startGateway } from '../testing/start-gateway';

test("the log of a webhook is requested only if the owning service has the webhook; otherwise the owner's refusal is the answer", async () => {
  const asked: unknown[] = [];
  const owner = createServer((req, res) => {
    // The gateway asks for the schema and the types by itself.
    if (!['/graphql', '/v1/types'].includes(req.url ?? ''))
      asked.push([req.method, req.url, req.headers['x-service-account']]);
    if (req.url === '/v1/webhooks/1/deliveries') res.writeHead(204).end();
    else res.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Not Found"}');
  });
  owner.listen(0, '127.0.0.1');
  await once(owner, 'listening');
  const env = { WEBHOOKS_URL: `http://127.0.0.1:${(owner.address() as AddressInfo).port}` };
  const before = await startGateway({ env });
  const as = { authorization: `Bearer ${before.auth.issue()}`, 'x-service-account': 'wdc' };
  const there = await before.get('/v1/webhooks/1/deliveries?per_page=5', as);
  expect(((await there.json()) as { url: string }).url).toBe('/v1/webhooks/1/deliveries?per_page=5');
  const foreign = await before.get('/v1/webhooks/2/deliveries', as);
  expect([foreign.status, await foreign.json()]).toEqual([404, { message: 'Not Found' }]);
  expect(asked).toEqual([
    ['GET', '/v1/webhooks/1/deliveries', 'wdc'],
    ['GET', '/v1/webhooks/2/deliveries', 'wdc'],
  ]);
  owner.closeAllConnections();
  owner.close();
  const away = await before.get('/v1/webhooks/1/deliveries', as);
  expect(away.status).toBe(503);
  await before.close();
});

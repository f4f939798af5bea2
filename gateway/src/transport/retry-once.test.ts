import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { systemClock } from '@itsm/shared/base/time/clock';
import type { ExecutionContext } from '../execution/executor';
import { createServiceCall } from '../execution/service-client';
import { startGateway } from '../testing/start-gateway';
import { createBreakers } from './breaker';
import { mayRepeat } from './retry-once';
import { createFairTurns } from '@itsm/shared/base/concurrency/fair-turns';

/** A service that closes the connection of every first request without an answer, as a killed process does. */
async function startDyingService(answer: string) {
  const asked: string[] = [];
  const answered = new Set<string>();
  const server: Server = createServer((req: IncomingMessage, res) => {
    req.resume().on('end', () => {
      // No schema and no types: not part of the graph.
      if (['GET /graphql', 'GET /v1/types'].includes(`${req.method} ${req.url}`)) return void res.writeHead(404).end();
      const what = `${req.method} ${req.url}`;
      asked.push(what);
      if (answered.has(what)) res.setHeader('Content-Type', 'application/json').end(answer);
      else req.socket.destroy();
      answered.add(what);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, asked, close: () => new Promise((resolve) => server.close(resolve)) };
}

const context: ExecutionContext = {
  callerTokens: { auth: 'a', graph: 'g', webhooks: 'w', 'webhook-delivery': 'd', 'ui-extensions': 'u' },
  accountId: 'wdc',
  requestId: 'request-1',
  clientAddress: '127.0.0.1',
  languages: [],
  rateLimit: { limit: 1, cost: 1, remaining: 1, resetAt: 1, nodeCount: 1, breakdown: () => [] },
  deadline: { left: () => 5_000 },
};

test.each([
  ['{"query":"{ me { id } }"}', 2],
  ['{"query":"query Me { me { id } }"}', 2],
  ['{"query":"mutation { requestCreate { id } }"}', 1],
  ['{"query":"# mutation\\nmutation { requestCreate { id } }"}', 1],
])('%s is sent %i times to a service that drops the connection', async (body, times) => {
  const service = await startDyingService('{"data":{"me":null}}');
  const pool = new Pool(service.origin);
  const turns = createFairTurns({ limit: 1 });
  const breakers = createBreakers(systemClock);
  const ask = createServiceCall({ service: 'graph', pool, turns, breakers, logger: silentLogger, now: systemClock });
  const answer = await ask(body, context);
  expect(answer && Buffer.from(answer).toString()).toEqual(times === 2 ? '{"data":{"me":null}}' : undefined);
  expect(service.asked).toHaveLength(times);
  await pool.close();
  await service.close();
});

test('a read over REST is retried once, a change is not', async () => {
  const service = await startDyingService('[]');
  const gateway = await startGateway({ env: { WEBHOOKS_URL: service.origin } });
  const headers = { authorization: `Bearer ${gateway.auth.issue()}`, 'x-service-account': 'wdc' };
  expect((await gateway.get('/v1/webhooks/1', headers)).status).toBe(200);
  const changed = await fetch(`${gateway.url}/v1/webhooks/2`, { method: 'DELETE', headers });
  expect(changed.status).toBe(502);
  expect(service.asked).toEqual(['GET /v1/webhooks/1', 'GET /v1/webhooks/1', 'DELETE /v1/webhooks/2']);
  await gateway.close();
  await service.close();
});

test('a call that was never sent may always be retried; a timeout is not retried', () => {
  const failure = (code: string) => Object.assign(new Error(code), { code });
  expect([mayRepeat(failure('ECONNREFUSED'), false), mayRepeat(failure('ECONNRESET'), false)]).toEqual([true, false]);
  expect([mayRepeat(failure('UND_ERR_HEADERS_TIMEOUT'), true), mayRepeat(new Error('late'), true)]).toEqual([
    false,
    false,
  ]);
});

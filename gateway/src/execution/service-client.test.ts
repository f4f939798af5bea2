import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { createBreakers, patienceMilliseconds } from '../transport/breaker';
import { createFairTurns } from '@itsm/shared/base/concurrency/fair-turns';
import type { ExecutionContext } from './executor';
import { createServiceCall } from './service-client';

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
  ['failures of its calls make an account leave a service alone', {}, false],
  ['failures in the shadow do not', { isShadow: true }, true],
])('%s', async (_sentence, about, goesOn) => {
  const server = createServer((req, res) => req.resume().on('end', () => res.writeHead(500).end()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  let at = 0;
  const turns = createFairTurns({ limit: 1 });
  const now = () => new Date(at);
  const breakers = createBreakers(now);
  const ask = createServiceCall({ service: 'graph', pool, turns, breakers, logger: silentLogger, now });
  for (let call = 0; call < 5; call += 1) {
    await ask('{"query":"{ me { id } }"}', { ...context, ...about });
    at += patienceMilliseconds / 4;
  }
  await pool.close();
  server.close();
  expect(breakers.mayTry('wdc')).toBe(goesOn);
});

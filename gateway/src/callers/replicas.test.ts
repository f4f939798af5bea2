import { randomUUID } from 'node:crypto';
import type { Coordination } from '@itsm/shared/stores/coordination/coordination';
import { createMemoryCoordination } from '@itsm/shared/stores/coordination/memory-coordination';
import { connectRedisCoordination } from '@itsm/shared/stores/coordination/redis-coordination';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { systemClock } from '@itsm/shared/base/time/clock';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';
import { openForAnHour } from '../testing/open-for-an-hour';
import { costWindowOf } from './windows';

// Set by scripts/redis.mjs. Without it the tests with Redis are skipped.
const redisUrl = process.env.REDIS_URL ?? '';

/** What two replicas guarantee together; `connect` gives each replica a connection of its own. */
function describeReplicas(name: string, connect: () => Promise<Coordination>): void {
  describe(`two replicas with ${name}`, () => {
    let replicas: readonly [StartedGateway, StartedGateway];
    beforeAll(async () => {
      const start = async () => startGateway({ coordination: await connect() });
      replicas = [await start(), await start()];
    });
    afterAll(() => Promise.all(replicas.map((replica) => replica.close())));

    const tokensOf = (limitKey: string) => replicas.map((replica) => replica.auth.issue({}, limitKey));
    const query = { query: '{ rateLimit { cost } }' };

    test('a call and 40 concurrent ones over GraphQL and REST: exactly 20 pass', async () => {
      const limitKey = randomUUID();
      const tokens = tokensOf(limitKey);
      await openForAnHour(replicas[0].coordination, limitKey);
      const calls = replicas.flatMap((replica, index) => {
        const authorization = `Bearer ${tokens[index] ?? ''}`;
        const rest = () => replica.get('/v1/webhooks', { authorization, 'x-service-account': 'wdc' });
        return Array.from({ length: 10 }, () => [() => replica.post(tokens[index], query), rest]).flat();
      });
      const answers = await Promise.all(calls.map((call) => call()));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(19);
      expect(statuses.filter((status) => status === 429)).toHaveLength(21);
    });

    test('when the points suffice for one call only, one of two on two replicas passes', async () => {
      const limitKey = randomUUID();
      const tokens = tokensOf(limitKey);
      await replicas[0].coordination.take([costWindowOf(limitKey, 4_980)], []);
      const dear = {
        query:
          '{ requests(first: 100) { nodes { requests(first: 11) { nodes { requests(first: 1) { totalCount } } } } } }',
      };
      const answers = await Promise.all(replicas.map((replica, index) => replica.post(tokens[index], dear)));
      const codes = await Promise.all(
        answers.map(async (answer) => {
          const { errors } = (await answer.json()) as { errors?: { extensions: { code: string } }[] };
          return errors?.[0]?.extensions.code;
        }),
      );
      expect(codes.sort()).toEqual(['COST_LIMIT_EXCEEDED', undefined]);
      const [window] = (await replicas[1].coordination.take([costWindowOf(limitKey, 0)], [])).windows;
      expect(window?.remaining).toBe(8);
    });
  });
}

const inMemory = createMemoryCoordination({ now: systemClock });
describeReplicas('memory', () => Promise.resolve(inMemory));

if (redisUrl === '') test.skip('two replicas with Redis', () => undefined);
else describeReplicas('Redis', () => connectRedisCoordination(redisUrl, silentLogger));

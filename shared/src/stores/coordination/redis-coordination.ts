import { Redis } from 'ioredis';
import type { Logger } from '../../observing/logs/logger';
import type { Coordination, Taken, Window } from './coordination';
import { birthKey, bumpScript, takeScript } from './redis-scripts';

interface ScriptedRedis extends Redis {
  takeFromWindows(keyCount: number, ...keysAndArguments: readonly (string | number)[]): Promise<number[]>;
  bumpRevisions(keyCount: number, ...keys: readonly string[]): Promise<number>;
}

/**
 * Coordination of all replicas through one Redis. Each call is one script, atomic by the nature of Redis, on its clock.
 * Comes back by itself; until then calls reject within a second. Resolves also while Redis is out of reach.
 */
export async function connectRedisCoordination(url: string, logger: Logger): Promise<Coordination> {
  const redis = openRedis(url, logger);
  await settled(redis);
  return {
    async take(windows, revisions) {
      const keys = [...windows.map(({ key }) => key), birthKey, ...revisions];
      const parameters = windows.flatMap(({ limit, seconds, amount }) => [limit, seconds * 1000, amount]);
      return toTaken(windows, await redis.takeFromWindows(keys.length, ...keys, windows.length, ...parameters));
    },
    async bump(revisions) {
      if (revisions.length > 0) await redis.bumpRevisions(revisions.length, ...revisions);
    },
    async close() {
      await redis.quit().catch(() => redis.disconnect());
    },
  };
}

function openRedis(url: string, logger: Logger): ScriptedRedis {
  const redis = new Redis(url, {
    connectTimeout: 2_000,
    commandTimeout: 1_000,
    enableOfflineQueue: false,
    // A take that is sent again would be counted twice.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
    // After a failover the old primary answers so.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    scripts: { takeFromWindows: { lua: takeScript }, bumpRevisions: { lua: bumpScript } },
  });
  redis.on('error', (error: Error) => logger.warn('The coordination store is out of reach', { error }));
  redis.on('ready', () => logger.info('Connected to the coordination store'));
  // The methods that `scripts` adds are not in the library's types.
  return redis as ScriptedRedis;
}

/** The first connection, or the first failure of it. */
const settled = (redis: Redis): Promise<void> =>
  new Promise((resolve) => {
    redis.once('ready', () => resolve());
    redis.once('error', () => resolve());
  });

function toTaken(windows: readonly Window[], answer: readonly number[]): Taken {
  const number = (index: number): number => {
    const value = answer[index];
    if (value === undefined) throw new Error('The coordination store gave too short an answer');
    return value;
  };
  return {
    allowed: number(0) === 1,
    windows: windows.map(({ limit }, index) => ({
      limit,
      remaining: Math.max(0, limit - number(1 + 2 * index)),
      resetAt: number(2 + 2 * index),
    })),
    revisions: answer.slice(1 + 2 * windows.length),
  };
}

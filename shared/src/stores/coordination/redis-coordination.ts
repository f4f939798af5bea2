import { Redis } from 'ioredis';
import type { Logger } from '../../observing/logs/logger';
import type { Coordination, Taken, Window } from './coordination';

/**
 * KEYS: the windows, the birth of the store, the revisions. ARGV: how many windows, then limit, milliseconds and amount of each.
 * Answers whether it is allowed, used and reset (epoch milliseconds) of each window, and the revisions.
 */
const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local count = tonumber(ARGV[1])
local limit, length, amount, used, left = {}, {}, {}, {}, {}
local allowed = 1
for i = 1, count do
  limit[i], length[i], amount[i] = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
  used[i] = tonumber(redis.call('GET', KEYS[i]) or '0')
  left[i] = redis.call('PTTL', KEYS[i])
  if amount[i] > math.max(0, limit[i] - used[i]) then allowed = 0 end
end
local answer = { allowed }
for i = 1, count do
  if allowed == 1 and amount[i] > 0 then
    used[i] = used[i] + amount[i]
    if left[i] < 0 then
      redis.call('SET', KEYS[i], amount[i], 'PX', length[i])
    else
      redis.call('INCRBY', KEYS[i], amount[i])
    end
  end
  if left[i] < 0 then left[i] = length[i] end
  answer[#answer + 1] = used[i]
  answer[#answer + 1] = now + left[i]
end
if #KEYS > count + 1 then
  local birth = redis.call('GET', KEYS[count + 1])
  if not birth then
    birth = now
    redis.call('SET', KEYS[count + 1], now)
  end
  for i = count + 2, #KEYS do
    answer[#answer + 1] = tonumber(birth) + tonumber(redis.call('GET', KEYS[i]) or '0')
  end
end
return answer
`;

const bumpScript = `
for i = 1, #KEYS do redis.call('INCR', KEYS[i]) end
return #KEYS
`;

/** When the store began: a revision counts from there, so that none of before a loss of all data is ever met again. */
export const birthKey = 'revision-birth';

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

import { Cluster } from 'ioredis';
import type { Redis } from 'ioredis';
import type { Logger } from '../../observing/logs/logger';
import type { Coordination, Taken, Window } from './coordination';
import { openRedis } from './open-redis';
import { createPatience } from './redis-patience';

/**
 * KEYS: the windows, then the revisions. ARGV: the number of windows, then limit, milliseconds and amount of each.
 * Returns whether it is allowed, then used and reset (epoch milliseconds) of each window, then the revisions. A
 * revision starts at the current time in microseconds. As it is bumped far less often than that, a value from before a
 * loss of all data never occurs again.
 */
const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local first = time[1] * 1000000 + time[2]
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
for i = count + 1, #KEYS do
  redis.call('SET', KEYS[i], string.format('%.0f', first), 'NX')
  answer[#answer + 1] = tonumber(redis.call('GET', KEYS[i]))
end
return answer
`;

const bumpScript = `
local time = redis.call('TIME')
for i = 1, #KEYS do
  redis.call('SET', KEYS[i], string.format('%.0f', time[1] * 1000000 + time[2]), 'NX')
  redis.call('INCR', KEYS[i])
end
return #KEYS
`;

interface Scripts {
  takeFromWindows(keyCount: number, ...keysAndArguments: readonly (string | number)[]): Promise<number[]>;
  bumpRevisions(keyCount: number, ...keys: readonly string[]): Promise<number>;
}

/** An absence of five seconds, and the time that connecting again takes. */
const longestAbsence = 5_500;

/**
 * Coordination of all replicas through one Redis, one Redis Cluster (`redis-cluster://`), or the master that sentinels
 * name (`redis-sentinel://`). Redis runs a script atomically, on its own clock. On a cluster one script gets the windows
 * of a call, whose keys share a hash tag, or one revision. Reconnects by itself. Calls wait for a store that is away for
 * up to `absence` milliseconds; after that they reject at once. Resolves even while Redis is unreachable.
 */
export async function connectRedisCoordination(
  url: string,
  logger: Logger,
  absence = longestAbsence,
): Promise<Coordination> {
  const redis = connect(url, absence, logger);
  const patience = createPatience(redis, absence);
  // A replica that becomes master may lack the last bumps. What was read before the connection to it has to be unequal.
  let connections = 0;
  const connected = (): unknown => (connections += 1);
  if (redis instanceof Cluster) redis.on('+node', (node: Redis) => node.on('ready', connected));
  redis.on('ready', connected);
  await settled(redis);
  // Connects to all nodes now; otherwise the first call to a node would connect, and calls in the meantime would
  // reject.
  if (redis instanceof Cluster) await Promise.allSettled(redis.nodes('master').map((node) => node.ping()));
  const takeTogether = async (windows: readonly Window[], revisions: readonly string[]): Promise<Taken> => {
    const keys = [...windows.map(({ key }) => key), ...revisions];
    const parameters = windows.flatMap(({ limit, seconds, amount }) => [limit, seconds * 1000, amount]);
    return patience.whenThere(async () => {
      const connection = connections;
      const answer = await redis.takeFromWindows(keys.length, ...keys, windows.length, ...parameters);
      return toTaken(windows, answer, connection);
    });
  };
  const bump = (revisions: readonly string[]) =>
    patience.untilAnswered(() => redis.bumpRevisions(revisions.length, ...revisions));
  return {
    async take(windows, revisions) {
      if (!redis.isCluster) return takeTogether(windows, revisions);
      const looks = revisions.map((revision) => takeTogether([], [revision]));
      const [taken, ...read] = await Promise.all([takeTogether(windows, []), ...looks]);
      return { ...taken, revisions: read.flatMap((each) => each.revisions) };
    },
    async time() {
      // Of a cluster, one node's.
      const [seconds = NaN, microseconds = NaN] = (await redis.time()).map(Number);
      return new Date(seconds * 1_000 + microseconds / 1_000);
    },
    async bump(revisions) {
      if (redis.isCluster) await Promise.all(revisions.map((revision) => bump([revision])));
      else if (revisions.length > 0) await bump(revisions);
    },
    async close() {
      patience.end();
      await redis.quit().catch(() => undefined);
      // Ends the connections to the sentinels too.
      redis.disconnect();
    },
  };
}

function connect(url: string, absence: number, logger: Logger): (Redis | Cluster) & Scripts {
  const redis = openRedis(url, {
    scripts: { takeFromWindows: { lua: takeScript }, bumpRevisions: { lua: bumpScript } },
    connection: {
      connectTimeout: 2_000,
      commandTimeout: absence,
      // Gives up a connection on which nothing is answered. Without it, a frozen Redis would seem to be there.
      socketTimeout: absence,
      // A take must not be resent, since it could count twice.
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
    },
    retryAfter: (attempt) => Math.min(attempt * 50, 500),
  });
  redis.on('error', (error: Error) => logger.warn('The coordination store is out of reach', { error }));
  redis.on('ready', () => logger.info('Connected to the coordination store'));
  // The library's types lack the methods that `scripts` adds.
  return redis as (Redis | Cluster) & Scripts;
}

/** Resolves with the first connection, or its first failure. */
const settled = (redis: Redis | Cluster): Promise<void> =>
  new Promise((resolve) => {
    redis.once('ready', () => resolve());
    redis.once('error', () => resolve());
  });

function toTaken(windows: readonly Window[], answer: readonly number[], connection: number): Taken {
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
    revisions: answer.slice(1 + 2 * windows.length).map((revision) => `${connection}:${revision}`),
  };
}

import { Cluster, Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';
import { parseSentinelAddress } from '../../base/config/sentinel-address';

interface Settings {
  /** Of one connection. */
  readonly connection: Pick<
    RedisOptions,
    'connectTimeout' | 'commandTimeout' | 'socketTimeout' | 'autoResendUnfulfilledCommands' | 'maxRetriesPerRequest'
  >;
  /** Milliseconds before the given attempt to connect again. */
  readonly retryAfter: (attempt: number) => number;
  readonly scripts: Readonly<Record<string, { readonly lua: string }>>;
}

/** A client for one Redis, for a Redis Cluster, or for the master that sentinels name. It begins to connect at once. */
export function openRedis(url: string, { connection, retryAfter, scripts }: Settings): Redis | Cluster {
  const common = { enableOfflineQueue: false, scripts };
  if (url.startsWith('redis-cluster:')) {
    const { hostname, port, username, password } = new URL(url);
    const login = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
    return new Cluster([{ host: hostname, port: Number(port || 6379) }], {
      ...common,
      redisOptions: { ...connection, ...login },
      clusterRetryStrategy: retryAfter,
      // As with a lost connection, a take is not retried.
      retryDelayOnFailover: 0,
    });
  }
  const one = {
    ...common,
    ...connection,
    retryStrategy: retryAfter,
  };
  const address = parseSentinelAddress(url);
  // The error of the old primary after a failover.
  if (!address) return leavingAt(/^READONLY/, (reconnectOnError) => new Redis(url, { ...one, reconnectOnError }));
  const { tls, sentinels, ...rest } = address;
  const sentinel = {
    ...one,
    ...rest,
    sentinels: [...sentinels],
    ...(tls && { tls: {}, enableTLSForSentinelMode: true, sentinelTLS: {} }),
    sentinelRetryStrategy: retryAfter,
    // A frozen sentinel takes the connection and never answers. The next one is asked instead.
    sentinelCommandTimeout: 1_000,
    // A frozen master does not say goodbye; by default it is waited for two seconds.
    disconnectTimeout: 100,
    // Leaves a master that is frozen, or alone, as soon as the sentinels have chosen another.
    failoverDetector: true,
  };
  // A master that is alone refuses. A client that missed the message of the failover asks the sentinels again.
  return leavingAt(/^READONLY|NOREPLICAS/, (reconnectOnError) => new Redis({ ...sentinel, reconnectOnError }));
}

/** Connects again at such a refusal, once for all calls that it refuses. */
function leavingAt(refusal: RegExp, open: (reconnectOnError: (error: Error) => boolean) => Redis): Redis {
  let isLeaving = false;
  const redis = open(({ message }) => {
    if (isLeaving || !refusal.test(message)) return false;
    isLeaving = true;
    return true;
  });
  redis.on('close', () => (isLeaving = false));
  return redis;
}

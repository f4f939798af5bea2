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
    // The error of the old primary after a failover.
    reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
  };
  const address = parseSentinelAddress(url);
  if (!address) return new Redis(url, one);
  const { tls, sentinels, ...rest } = address;
  return new Redis({
    ...one,
    ...rest,
    sentinels: [...sentinels],
    ...(tls && { tls: {}, enableTLSForSentinelMode: true, sentinelTLS: {} }),
    sentinelRetryStrategy: retryAfter,
    // Leaves a master that is frozen, or alone, as soon as the sentinels have chosen another.
    failoverDetector: true,
  });
}

import type { Logger } from '../../observing/logs/logger';
import type { Coordination } from './coordination';
import { connectRedisCoordination } from './redis-coordination';

/** What the replicas share, or undefined where no store is configured: then everything is asked of its owner. */
export async function connectCoordination(
  redisUrl: string | undefined,
  logger: Logger,
): Promise<Coordination | undefined> {
  return redisUrl === undefined ? undefined : connectRedisCoordination(redisUrl, logger);
}

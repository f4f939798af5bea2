import type { Logger } from '../../observing/logs/logger';
import type { Coordination } from './coordination';
import { connectRedisCoordination } from './redis-coordination';

/**
 * The store that replicas share; undefined when none is configured, in which case nothing is cached across processes.
 */
export async function connectCoordination(
  redisUrl: string | undefined,
  logger: Logger,
): Promise<Coordination | undefined> {
  return redisUrl === undefined ? undefined : connectRedisCoordination(redisUrl, logger);
}

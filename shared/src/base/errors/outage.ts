import { AppError } from './app-error';

const storeOutage =
  /^(Mongo(Network|NetworkTimeout|ServerSelection|NotConnected|TopologyClosed|PoolCleared|PoolClosed|WaitQueueTimeout|ClientClosed|StalePrimary|OperationTimeout|ServerClosed)Error|PoolClearedOnNetworkError|MongooseServerSelectionError)$/;
/**
 * Codes of a server that is shutting down or is no longer primary (the retryable codes of MongoDB's driver
 * specification).
 */
const leaving = new Set([6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);
const deepest = 5;

/**
 * Whether an error means that a store or the broker is unreachable, so that a retry makes sense for as long as the
 * outage lasts.
 */
export function isOutage(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > deepest) return false;
  if (error instanceof AppError) return error.code === 'service_unavailable';
  // The driver wraps the cause of a failed bulk write in `errorResponse`.
  const { cause, errorResponse } = error as Error & { readonly errorResponse?: unknown };
  return isStoreOutage(error) || isOutage(cause, depth + 1) || isOutage(errorResponse, depth + 1);
}

const isStoreOutage = (error: Error): boolean =>
  storeOutage.test(error.name) ||
  (/^Mongo(Server|WriteConcern|BulkWrite)Error$/.test(error.name) &&
    'code' in error &&
    leaving.has(Number(error.code)));

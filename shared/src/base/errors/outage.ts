import { AppError } from './app-error';

const storeOutage =
  /^(Mongo(Network|NetworkTimeout|ServerSelection|NotConnected|TopologyClosed|PoolCleared|PoolClosed|WaitQueueTimeout|ClientClosed|StalePrimary|OperationTimeout|ServerClosed)Error|PoolClearedOnNetworkError|MongooseServerSelectionError)$/;
/** What a server says that stops, or is not the primary any more (the retryable codes of MongoDB's specification for drivers). */
const leaving = new Set([6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);
const deepest = 5;

/** Whether the work failed because a store or the broker is out of reach: it is worth trying again, for as long as it takes. */
export function isOutage(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > deepest) return false;
  if (error instanceof AppError) return error.code === 'service_unavailable';
  // The driver hides what ended a group of writes in its `errorResponse`.
  const { cause, errorResponse } = error as Error & { readonly errorResponse?: unknown };
  return isStoreOutage(error) || isOutage(cause, depth + 1) || isOutage(errorResponse, depth + 1);
}

const isStoreOutage = (error: Error): boolean =>
  storeOutage.test(error.name) ||
  (/^Mongo(Server|WriteConcern|BulkWrite)Error$/.test(error.name) &&
    'code' in error &&
    leaving.has(Number(error.code)));

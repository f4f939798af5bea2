import { AppError, insufficientStorage } from './app-error';

const storeOutage =
  /^(Mongo(Network|NetworkTimeout|ServerSelection|NotConnected|TopologyClosed|PoolCleared|PoolClosed|WaitQueueTimeout|ClientClosed|StalePrimary|OperationTimeout|ServerClosed)Error|PoolClearedOnNetworkError|MongooseServerSelectionError)$/;
/**
 * Codes of a server that is shutting down or is no longer primary (the retryable codes of MongoDB's driver
 * specification).
 */
const leaving = new Set([6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);
/** `OutOfDiskSpace`. */
const outOfDiskSpace = 14_031;
/** `UnknownError`, under which MongoDB passes on what its storage engine got from the system. */
const unknownError = 8;
const deepest = 5;

/**
 * Whether an error means that a store or the broker is unreachable, or that a store is full, so that a retry makes
 * sense for as long as that lasts.
 */
export const isOutage = (error: unknown): boolean =>
  isStoreFull(error) ||
  isCausedBy(error, (cause) =>
    cause instanceof AppError ? cause.code === 'service_unavailable' : isStoreOutage(cause),
  );

/** Whether a store refused a write because it has no room for it. Reads go on. */
export const isStoreFull = (error: unknown): boolean =>
  isCausedBy(error, (cause) => (cause instanceof AppError ? cause.code === 'insufficient_storage' : hasNoRoom(cause)));

/** The refusal for a caller whose call met an outage: 507 of a full store, else 503. Undefined for any other error. */
export function outageRefusal(error: unknown): AppError | undefined {
  if (isStoreFull(error)) return insufficientStorage();
  return isOutage(error) ? new AppError('service_unavailable', 'Service Unavailable') : undefined;
}

/** Whether `holds` for the error or what caused it. What caused a refusal of ours does not count. */
function isCausedBy(error: unknown, holds: (error: Error) => boolean, depth = 0): boolean {
  if (!(error instanceof Error) || depth > deepest) return false;
  if (holds(error)) return true;
  if (error instanceof AppError) return false;
  // The driver wraps the cause of a failed bulk write in `errorResponse`.
  const { cause, errorResponse } = error as Error & { readonly errorResponse?: unknown };
  return isCausedBy(cause, holds, depth + 1) || isCausedBy(errorResponse, holds, depth + 1);
}

const isStoreOutage = (error: Error): boolean =>
  storeOutage.test(error.name) ||
  (/^Mongo(Server|WriteConcern|BulkWrite)Error$/.test(error.name) && leaving.has(codeOf(error)));

const hasNoRoom = (error: Error): boolean =>
  codeOf(error) === outOfDiskSpace ||
  (codeOf(error) === unknownError && error.message.includes('No space left on device'));

const codeOf = (error: Error): number => ('code' in error ? Number(error.code) : NaN);

import { AppError } from './app-error';

const storeOutage =
  /^(Mongo(Network|NetworkTimeout|ServerSelection|NotConnected|TopologyClosed|PoolCleared|PoolClosed|ClientClosed|StalePrimary|OperationTimeout|ServerClosed)Error|MongooseServerSelectionError)$/;
const deepest = 5;

/** Whether the work failed because a store or the broker is out of reach: it is worth trying again, for as long as it takes. */
export function isOutage(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > deepest) return false;
  if (error instanceof AppError) return error.code === 'service_unavailable';
  // The driver hides what ended a group of writes in its `errorResponse`.
  const { cause, errorResponse } = error as Error & { readonly errorResponse?: unknown };
  return storeOutage.test(error.name) || isOutage(cause, depth + 1) || isOutage(errorResponse, depth + 1);
}

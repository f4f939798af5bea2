import { unwrapResolverError } from '@apollo/server/errors';
import type { GraphQLFormattedError } from 'graphql';
import type { ErrorCode } from '../../base/errors/app-error';
import { AppError } from '../../base/errors/app-error';
import { isOutage } from '../../base/errors/outage';
import type { Logger } from '../../observing/logs/logger';

const codes: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'UNAUTHENTICATED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  too_many_calls: 'TOO_MANY_CALLS',
  service_unavailable: 'SERVICE_UNAVAILABLE',
};

/** Refusals keep their message and get their public code; a fault of ours or of a store is logged and answered without detail. */
export const formatError =
  (logger: Logger) =>
  (formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError => {
    const cause = unwrapResolverError(thrown);
    if (cause instanceof AppError) {
      return { ...formatted, extensions: { code: codes[cause.code] ?? 'BAD_USER_INPUT' } };
    }
    const code = formatted.extensions?.['code'];
    if (typeof code === 'string' && code !== 'INTERNAL_SERVER_ERROR') return { ...formatted, extensions: { code } };
    logger.error('resolver failed', { path: formatted.path, error: cause });
    return isOutage(cause)
      ? { ...formatted, message: 'Service Unavailable', extensions: { code: 'SERVICE_UNAVAILABLE' } }
      : { ...formatted, message: 'Internal Server Error', extensions: { code: 'INTERNAL_SERVER_ERROR' } };
  };

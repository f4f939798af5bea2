import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import type { ErrorCode } from '@itsm/shared/base/errors/app-error';

/** `errors[].extensions.code` of the gateway's own refusals. */
export const codeOf: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'UNAUTHENTICATED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  too_many_requests: 'RATE_LIMITED',
  too_many_calls: 'TOO_MANY_CALLS',
  service_unavailable: 'SERVICE_UNAVAILABLE',
  insufficient_storage: 'INSUFFICIENT_STORAGE',
};

/** The error in its response form: message, locations, path and the public extensions. */
export function formatError(error: GraphQLError, code?: string): GraphQLFormattedError {
  const { message, locations, path, extensions } = error;
  return {
    message,
    ...(locations && { locations: locations.map(({ line, column }) => ({ line, column })) }),
    ...(path && { path }),
    extensions: code === undefined ? extensions : { code },
  };
}

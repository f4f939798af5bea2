import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import type { ErrorCode } from '@itsm/shared/base/errors/app-error';

/** `errors[].extensions.code` of what the gateway itself refuses. */
export const codeOf: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'UNAUTHENTICATED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  too_many_requests: 'RATE_LIMITED',
  too_many_calls: 'TOO_MANY_CALLS',
  service_unavailable: 'SERVICE_UNAVAILABLE',
};

/** The wire form of an error with nothing but message, locations, path and the public parts of its extensions. */
export function formatError(error: GraphQLError, code?: string): GraphQLFormattedError {
  const { message, locations, path, extensions } = error;
  return {
    message,
    ...(locations && { locations: locations.map(({ line, column }) => ({ line, column })) }),
    ...(path && { path }),
    extensions: code === undefined ? extensions : { code },
  };
}

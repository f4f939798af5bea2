import { AppError } from '@itsm/shared/base/errors/app-error';
import type { Logger } from '@itsm/shared/observing/logs/logger';

/** An answer of a service to a call that auth has vouched for. */
interface Refusal {
  readonly to: string;
  readonly status: number;
  /** `WWW-Authenticate`, with which a service asks for another sign-in (RFC 9470); that is the client's to answer. */
  readonly challenge: string | string[] | undefined;
  readonly requestId: string;
}

/**
 * Whether a service refused the caller's JWT, which is a fault of the platform (clocks or keys differ); then an error
 * is logged. The client must not get the 401: it would throw a good token away.
 */
export function isCallerRefused(logger: Logger, { to, status, challenge, requestId }: Refusal): boolean {
  if (status !== 401 || challenge !== undefined) return false;
  logger.error('a service refused a caller that auth has vouched for; do the clocks differ?', { to, requestId });
  return true;
}

/** The answer to the client. */
export const callerRefused = (): AppError => new AppError('service_unavailable', 'Service Unavailable');

import type { IncomingMessage } from 'node:http';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { AppError, statusOf } from '../../base/errors/app-error';
import { isOutage } from '../../base/errors/outage';
import type { Logger } from '../../observing/logs/logger';
import { requestIdOf } from './request-id';

/** What body-parser and express throw for the caller's mistakes, by their `type` or status. */
function fromExpress(thrown: unknown): AppError | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  const error: { type?: unknown; status?: unknown } = thrown;
  if (error.type === 'entity.parse.failed') return new AppError('bad_request', 'Invalid JSON');
  if (error.status === 413) return new AppError('payload_too_large', 'Payload Too Large');
  if (error.status === 415) return new AppError('unsupported_media_type', 'Unsupported Media Type');
  if (error.status === 404) return new AppError('not_found', 'Not Found');
  if (typeof error.status === 'number' && error.status >= 400 && error.status < 500)
    return new AppError('bad_request', 'Bad Request');
  return undefined;
}

/** The public form of whatever was thrown, 503 for a store that is out of reach; `undefined` when it is a fault of ours. */
export function toAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  return isOutage(error) ? new AppError('service_unavailable', 'Service Unavailable') : fromExpress(error);
}

/** Whether operators have to hear of it: a fault of ours or of a store, no refusal. */
export const isFault = (error: unknown): boolean => !(error instanceof AppError) && fromExpress(error) === undefined;

/** Logs a refusal with the request id and the codes of docs/errors.md, but without messages, which may repeat input. */
export function logRefusal(logger: Logger, req: IncomingMessage, codes: readonly string[]): void {
  logger.info('request refused', { requestId: requestIdOf(req), codes });
}

/** What is answered in place of what was asked for. */
interface Failure {
  readonly status: number;
  /** In its public form; undefined for a fault of ours. */
  readonly refused: AppError | undefined;
  readonly isFault: boolean;
}

/** An error handler that logs faults under `title`, and leaves the answer to `answer` where none is under way. */
export const answerErrors =
  (
    logger: Logger,
    title: string,
    answer: (req: Request, res: Response, failure: Failure) => void,
  ): ErrorRequestHandler =>
  (error: unknown, req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    const refused = toAppError(error);
    const fault = isFault(error);
    if (fault) logger.error(title, { requestId: requestIdOf(req), method: req.method, path: req.path, error });
    res.status(refused ? statusOf[refused.code] : 500).set(refused?.details.headers ?? {});
    answer(req, res, { status: res.statusCode, refused, isFault: fault });
  };

/** The one place where HTTP errors are answered: `{message}` (+ `errors` of a 422); faults of ours are logged, never shown. */
export const handleErrors = (logger: Logger): ErrorRequestHandler =>
  answerErrors(logger, 'request failed', (req, res, { refused, isFault: isLogged }) => {
    if (refused && !isLogged) logRefusal(logger, req, [refused.code]);
    res.json({
      message: refused?.message ?? 'Internal Server Error',
      ...(refused?.details.errors && { errors: refused.details.errors }),
    });
  });

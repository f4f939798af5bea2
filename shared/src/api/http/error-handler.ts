import type { IncomingMessage } from 'node:http';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { AppError, statusOf } from '../../base/errors/app-error';
import { outageRefusal } from '../../base/errors/outage';
import type { Logger } from '../../observing/logs/logger';
import { requestIdOf } from './request-id';

/** Maps the client errors of body-parser and Express, by their `type` or status. */
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

/** The public form of an error; 503 for an unreachable store, 507 for a full one, `undefined` for an internal error. */
export function toAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  return outageRefusal(error) ?? fromExpress(error);
}

/** Whether operators need to know: an internal error or an outage, not a refusal. */
export const isFault = (error: unknown): boolean => !(error instanceof AppError) && fromExpress(error) === undefined;

/**
 * Logs a refusal with the request id and the codes of docs/errors.md. Messages are left out, since they may repeat
 * input.
 */
export function logRefusal(logger: Logger, req: IncomingMessage, codes: readonly string[]): void {
  logger.info('request refused', { requestId: requestIdOf(req), codes });
}

/** The error answer of a request. */
interface Failure {
  readonly status: number;
  /** The public form; undefined for an internal error. */
  readonly refused: AppError | undefined;
  readonly isFault: boolean;
}

/** An error handler that logs internal errors under `title`, and calls `answer` unless the response has started. */
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

/**
 * The one place that answers HTTP errors: `{message}` (and `errors` of a 422). Internal errors are logged, never shown.
 */
export const handleErrors = (logger: Logger): ErrorRequestHandler =>
  answerErrors(logger, 'request failed', (req, res, { refused, isFault: isLogged }) => {
    if (refused && !isLogged) logRefusal(logger, req, [refused.code]);
    res.json({
      message: refused?.message ?? 'Internal Server Error',
      ...(refused?.details.errors && { errors: refused.details.errors }),
    });
  });

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../base/time/clock';
import type { Logger } from '../../observing/logs/logger';
import { requestIdOf } from './request-id';

interface RequestLogOptions<Request> {
  /** Further facts, read when the response has closed. */
  readonly more?: (req: Request) => Readonly<Record<string, unknown>>;
  /** Whether the line of a request is only written at `debug`; none is by default. */
  readonly isDetail?: (req: Request) => boolean;
}

/**
 * Logs one line per request when its response has closed. The path is without the query, which may hold codes.
 * `milliseconds` counts from the arrival of the headers.
 */
export const logRequests =
  <Request extends IncomingMessage>(
    logger: Logger,
    now: Clock,
    message: string,
    { more = () => ({}), isDetail = () => false }: RequestLogOptions<Request> = {},
  ) =>
  (req: Request, res: ServerResponse, next: () => void): void => {
    const started = now().getTime();
    const { method, url = '' } = req;
    const [path] = url.split('?', 1);
    res.once('close', () => {
      logger[isDetail(req) ? 'debug' : 'info'](message, {
        requestId: requestIdOf(req),
        method,
        path,
        ...more(req),
        status: res.statusCode,
        finished: res.writableFinished,
        milliseconds: now().getTime() - started,
      });
    });
    next();
  };

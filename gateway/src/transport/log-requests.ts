import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf } from '@itsm/shared/api/http/request-id';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';

/** One line for each request when it is over; the query is left out, it may hold codes. */
export const logRequests =
  (logger: Logger, now: Clock) =>
  (req: IncomingMessage, res: ServerResponse, next: () => void): void => {
    const started = now().getTime();
    const { method, url = '' } = req;
    const [path] = url.split('?', 1);
    res.once('close', () => {
      logger.info('request', {
        requestId: requestIdOf(req),
        method,
        path,
        status: res.statusCode,
        finished: res.writableFinished,
        milliseconds: now().getTime() - started,
      });
    });
    next();
  };

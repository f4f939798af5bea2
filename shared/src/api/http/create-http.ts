import type { IncomingMessage } from 'node:http';
import express from 'express';
import type { Express } from 'express';
import { notFound } from '../../base/errors/app-error';
import type { Logger } from '../../observing/logs/logger';
import { handleErrors } from './error-handler';
import { inLogContext } from '../../observing/logs/log-context';
import { traceRequests } from './trace-requests';
import { assignRequestId, requestIdOf } from './request-id';

/** An Express app with request ids and no fingerprints; `mount` adds the routes, then come 404 and the error handler. */
export function createHttp(
  logger: Logger,
  mount: (http: Express) => void,
  isTrusted: (req: IncomingMessage) => boolean = () => true,
): Express {
  const http = express();
  http.disable('x-powered-by');
  http.use(traceRequests(isTrusted));
  http.use(assignRequestId(isTrusted));
  http.use((req, _res, next) => inLogContext({ requestId: requestIdOf(req) }, next));
  mount(http);
  http.use(() => {
    throw notFound();
  });
  http.use(handleErrors(logger));
  return http;
}

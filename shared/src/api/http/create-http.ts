import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import type { Express } from 'express';
import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { notFound } from '../../base/errors/app-error';
import type { Logger } from '../../observing/logs/logger';
import { handleErrors } from './error-handler';
import { checkReads } from './if-match';
import { inLogContext } from '../../observing/logs/log-context';
import { assignRequestId, requestIdOf } from './request-id';

/**
 * An Express app with request ids and without identifying headers; `mount` adds the routes, then come the 404 and the
 * error handler.
 */
export function createHttp(
  logger: Logger,
  mount: (http: Express) => void,
  isTrusted: (req: IncomingMessage) => boolean = () => true,
): Express {
  const http = express();
  http.disable('x-powered-by');
  http.use(traceRequests(isTrusted));
  http.use(assignRequestId(isTrusted));
  http.use(compareTags, checkReads);
  http.use((req, _res, next) => inLogContext({ requestId: requestIdOf(req) }, next));
  mount(http);
  http.use(() => {
    throw notFound();
  });
  http.use(handleErrors(logger));
  return http;
}

/**
 * `fetch` adds `Cache-Control: no-cache` to `If-None-Match`, upon which Express would not answer 304. For a server the
 * tag alone decides (RFC 9110 §13.1.2); the other header is for caches.
 */
function compareTags(req: IncomingMessage, _res: ServerResponse, next: () => void): void {
  if (req.headers['if-none-match'] !== undefined) delete req.headers['cache-control'];
  next();
}

const tracer = trace.getTracer('itsm');

/** Starts a span per request. It continues the sender's trace if the sender `isTrusted`. */
export const traceRequests =
  (isTrusted: (req: IncomingMessage) => boolean) =>
  (req: IncomingMessage, res: ServerResponse, next: () => void): void => {
    const parent = isTrusted(req) ? propagation.extract(ROOT_CONTEXT, req.headers) : ROOT_CONTEXT;
    const { method = 'GET' } = req;
    const attributes = { 'http.request.method': method };
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    if (!span.isRecording()) {
      context.with(trace.setSpan(parent, span), next);
      return;
    }
    res.once('close', () => {
      span.setAttribute('http.response.status_code', res.statusCode);
      if (res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    context.with(trace.setSpan(parent, span), next);
  };

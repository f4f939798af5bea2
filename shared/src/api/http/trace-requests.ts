import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { IncomingMessage, ServerResponse } from 'node:http';

const tracer = trace.getTracer('itsm');

/** One span per request, going on in the trace that came along when the sender `isTrusted` to have begun one. */
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

import { context, isSpanContextValid, propagation, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Attributes, Context, Link, SpanKind } from '@opentelemetry/api';

export { SpanKind } from '@opentelemetry/api';

/** What a span is and where it hangs; `parent` and `link` are W3C `traceparent` texts that were kept from earlier. */
export interface SpanOptions {
  readonly kind: SpanKind;
  readonly attributes?: Attributes;
  /** The span goes on in this trace; absent: in the one that is active. */
  readonly parent?: string | undefined;
  /** Work of another day belongs to its origin without being part of it: a trace of its own. */
  readonly link?: string | undefined;
}

const tracer = trace.getTracer('itsm');

/** Does `work` in a span that ends with it. Costs next to nothing while no tracing is started. */
export function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const { kind, attributes = {}, parent, link } = options;
  const within = parent === undefined && link === undefined ? context.active() : contextOf(parent);
  return tracer.startActiveSpan(name, { kind, attributes, links: linksTo(link) }, within, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'Error' });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The active span as a W3C `traceparent`, to be kept or sent along; undefined outside of a trace. */
export function currentTraceparent(): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** The active span as a header of a request; nothing outside of a trace. */
export function traceHeader(): { readonly traceparent?: string } {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? {} : { traceparent };
}

/** Trace and span id of what runs now, for log lines. */
export function traceFacts(): { readonly trace_id?: string; readonly span_id?: string } {
  const active = trace.getActiveSpan()?.spanContext();
  return active && isSpanContextValid(active) ? { trace_id: active.traceId, span_id: active.spanId } : {};
}

/** The context that a `traceparent` names, the root for none. */
export const contextOf = (traceparent: string | undefined): Context =>
  traceparent === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent });

function linksTo(traceparent: string | undefined): Link[] {
  const linked = traceparent === undefined ? undefined : trace.getSpanContext(contextOf(traceparent));
  return linked ? [{ context: linked }] : [];
}

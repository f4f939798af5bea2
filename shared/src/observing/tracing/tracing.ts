import { context, isSpanContextValid, propagation, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Attributes, Context, Link, SpanKind } from '@opentelemetry/api';

export { SpanKind } from '@opentelemetry/api';

/** The options of a span; `parent` and `link` are stored W3C `traceparent` texts. */
export interface SpanOptions {
  readonly kind: SpanKind;
  readonly attributes?: Attributes;
  /** The trace that the span continues; the active one by default. */
  readonly parent?: string | undefined;
  /** A link to the origin, for work that happens much later and gets a trace of its own. */
  readonly link?: string | undefined;
}

const tracer = trace.getTracer('itsm');

/** Runs `work` in a span. Costs next to nothing while tracing is off. */
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

/** The active span as a W3C `traceparent`, to be stored or sent; undefined outside of a trace. */
export function currentTraceparent(): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** The active span as a request header; empty outside of a trace. */
export function traceHeader(): { readonly traceparent?: string } {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? {} : { traceparent };
}

/** Trace and span id of the active span, for log lines. */
export function traceFacts(): { readonly trace_id?: string; readonly span_id?: string } {
  const active = trace.getActiveSpan()?.spanContext();
  return active && isSpanContextValid(active) ? { trace_id: active.traceId, span_id: active.spanId } : {};
}

/** The context of a `traceparent`; the root context without one. */
export const contextOf = (traceparent: string | undefined): Context =>
  traceparent === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent });

function linksTo(traceparent: string | undefined): Link[] {
  const linked = traceparent === undefined ? undefined : trace.getSpanContext(contextOf(traceparent));
  return linked ? [{ context: linked }] : [];
}

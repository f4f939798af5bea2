import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import type { SpanProcessor } from '@opentelemetry/sdk-trace-node';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { Closable } from './app';

export interface TracingOptions {
  readonly service: string;
  /** Base address of an OTLP collector (`http://collector:4318`); undefined: no tracing. */
  readonly endpoint: string | undefined;
  /** Share of the traces that begin here, from 0 to 1; what others began is followed as they decided. */
  readonly ratio: number;
}

const sendMilliseconds = 3_000;

/** Sends the spans of this process to a collector; closing sends what is left, for 3 s at most. */
export function startTracing({ service, endpoint, ratio }: TracingOptions): Closable {
  if (endpoint === undefined) return { close: () => {} };
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: sendMilliseconds });
  return recordSpans(service, ratio, new BatchSpanProcessor(exporter, { exportTimeoutMillis: sendMilliseconds }));
}

/** Gives the spans of this process to `processor`. */
export function recordSpans(service: string, ratio: number, processor: SpanProcessor): Closable {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'itsm' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [processor],
  });
  provider.register();
  return { close: () => provider.shutdown() };
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An OTLP span with the name of its service. */
export interface Span {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: { stringValue?: string } }[] };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<Span, 'service'>[] }[];
  }[];
}

/** A trace collector over OTLP/HTTP that stores what it receives. */
export interface Collector {
  readonly endpoint: string;
  spansOf(traceId: string): readonly Span[];
  /** The services that have sent spans so far. */
  services(): readonly string[];
  /** All received data, unparsed. */
  text(): string;
  close(): Promise<void>;
}

/** Listens on a free port of loopback, unless `at` is given. */
export async function startCollector(at = { host: '127.0.0.1', port: 0 }): Promise<Collector> {
  const bodies: string[] = [];
  const spans: Span[] = [];
  const server = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', () => {
      bodies.push(body);
      if (req.url === '/v1/traces') spans.push(...spansIn(JSON.parse(body) as Export));
      res.setHeader('Content-Type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(at.port, at.host, resolve));
  return {
    endpoint: `http://${at.host}:${(server.address() as AddressInfo).port}`,
    spansOf: (traceId) => spans.filter((span) => span.traceId === traceId),
    services: () => [...new Set(spans.map(({ service }) => service))].sort(),
    text: () => bodies.join('\n'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const spansIn = ({ resourceSpans }: Export): Span[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service })));
  });

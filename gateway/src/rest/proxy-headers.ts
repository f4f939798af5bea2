import type { IncomingHttpHeaders } from 'node:http';

/** Hop-by-hop headers, which concern one connection (RFC 9110 §7.6.1). */
export const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'expect',
];
const ours =
  /^(x-forwarded-.*|forwarded|x-real-ip|x-original-.*|x-rewrite-.*|x-http-method.*|x-service-account|x-request-id|x-remaining-milliseconds|x-large-call)$/;
/** The gateway starts the trace, or continues that of a trusted proxy (W3C Trace Context). */
const tracing = ['traceparent', 'tracestate', 'baggage'];
/** They delimit the body, so a `Connection` header must not remove them (request smuggling). */
const framing = ['content-length', 'transfer-encoding', 'host'];

/** Removes from `headers`: hop-by-hop headers, headers that only the gateway may set, and the names in `also`. */
export function stripHeaders(headers: IncomingHttpHeaders, also: readonly string[]): void {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  for (const name of [...hopByHop, ...tracing, ...named.filter((name) => !framing.includes(name)), ...also])
    delete headers[name];
  for (const name of Object.keys(headers)) if (ours.test(name)) delete headers[name];
}

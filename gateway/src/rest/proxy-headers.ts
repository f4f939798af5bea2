import type { IncomingHttpHeaders } from 'node:http';

/** What concerns one connection only (RFC 9110 §7.6.1). */
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
/** The gateway begins the trace, or goes on in one that a trusted proxy began (W3C Trace Context). */
const tracing = ['traceparent', 'tracestate', 'baggage'];
/** They say where the body ends, so no `Connection` header may take them away. */
const framing = ['content-length', 'transfer-encoding', 'host'];

/** Takes out of `headers` what ends at this hop, what only the gateway may say, and the names in `also`. */
export function stripHeaders(headers: IncomingHttpHeaders, also: readonly string[]): void {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  for (const name of [...hopByHop, ...tracing, ...named.filter((name) => !framing.includes(name)), ...also])
    delete headers[name];
  for (const name of Object.keys(headers)) if (ours.test(name)) delete headers[name];
}

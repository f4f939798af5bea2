import type { IncomingMessage, ServerResponse } from 'node:http';

/** Paths that pages of other origins may call: all that a bearer token authorises, and none that cookies authorise. */
const isOpen = /^\/(?:graphql|v1|ui_extensions|\.well-known|docs|oauth\/(?:token|revoke|introspect|jwks))(?:[/?]|$)/;

const exposed = [
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
  'Link',
  'Location',
  'ETag',
  'Idempotent-Replayed',
  ...['limit', 'remaining', 'reset'].map((name) => `X-RateLimit-${name}`),
  ...['limit', 'cost', 'remaining', 'reset'].map((name) => `X-CostLimit-${name}`),
  ...['per-page', 'current-page', 'total-pages', 'total-entries'].map((name) => `X-Pagination-${name}`),
].join(', ');

const isHeaderList = /^[\w-]+( *, *[\w-]+)*$/;

export interface Cors {
  /** Sets the CORS headers (Fetch, "CORS protocol"). True for a preflight request, which has then been answered. */
  answer(req: IncomingMessage, res: ServerResponse): boolean;
}

/**
 * `origins` may contain `*` for any origin. That is safe, as pages send the token themselves: a page can use only what
 * its user gave it.
 */
export function createCors(origins: readonly string[]): Cors {
  const everybody = origins.includes('*');
  return {
    answer(req, res) {
      const { origin } = req.headers;
      if (origin === undefined || !isOpen.test(req.url ?? '')) return false;
      if (!everybody) {
        res.appendHeader('Vary', 'Origin');
        if (!origins.includes(origin)) return false;
      }
      res.setHeader('Access-Control-Allow-Origin', everybody ? '*' : origin);
      const asked = req.headers['access-control-request-method'];
      if (req.method !== 'OPTIONS' || asked === undefined) {
        res.setHeader('Access-Control-Expose-Headers', exposed);
        return false;
      }
      const headers = req.headers['access-control-request-headers'] ?? '';
      res.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
      if (isHeaderList.test(headers)) res.setHeader('Access-Control-Allow-Headers', headers);
      res.setHeader('Access-Control-Max-Age', '7200');
      res.writeHead(204).end();
      return true;
    },
  };
}

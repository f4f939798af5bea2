import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const ids = new WeakMap<IncomingMessage, string>();

/**
 * Gives every request an id and returns it as `X-Request-Id`. A given id is kept if it is well-formed and the peer
 * `isTrusted`: services trust the gateway, the gateway trusts its proxies.
 */
export const assignRequestId =
  (isTrusted: (req: IncomingMessage) => boolean) =>
  (req: IncomingMessage, res: ServerResponse, next: () => void): void => {
    const given = isTrusted(req) ? req.headers['x-request-id'] : undefined;
    const id = typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
    ids.set(req, id);
    res.setHeader('X-Request-Id', id);
    next();
  };

export const requestIdOf = (req: IncomingMessage): string => ids.get(req) ?? 'none';

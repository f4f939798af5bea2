import type { IncomingMessage } from 'node:http';

/** A header as one text; those that came several times are joined. */
export function headerOf(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

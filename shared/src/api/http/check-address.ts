import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodePercents } from '../../base/texts/percent-encoding';

/** Middleware: 400 for a path or query whose percent-encoded bytes are not UTF-8, such as `%FF`. */
export function checkAddress({ url = '' }: IncomingMessage, _res: ServerResponse, next: () => void): void {
  decodePercents(url, 'The address');
  next();
}

import type { IncomingMessage } from 'node:http';
import { Negotiator } from 'negotiator';

/** The content codings of our answers, smallest result first. */
export const contentCodings = ['br', 'gzip'] as const;
export type ContentCoding = (typeof contentCodings)[number];

/**
 * The coding for an answer, by the qualities in `Accept-Encoding` (RFC 9110 §12.5.3), and otherwise the first of
 * `available`. Undefined for no coding: also when the client refuses that too, since it can still be read.
 */
export function codingFor(
  req: Pick<IncomingMessage, 'headers'>,
  available: readonly ContentCoding[] = contentCodings,
): ContentCoding | undefined {
  // Without the header any coding is acceptable, but such clients rarely can decode one.
  if (req.headers['accept-encoding'] === undefined) return undefined;
  const [best] = new Negotiator(req).encodings([...available, 'identity'], { preferred: available });
  return available.find((coding) => coding === best);
}

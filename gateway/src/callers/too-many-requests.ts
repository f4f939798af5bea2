import type { IncomingMessage, ServerResponse } from 'node:http';
import { json, mediaTypeOf } from '../transport/media-type';

const message = 'Too Many Requests';

export interface Refusal {
  readonly documentationUrl: string;
  readonly retryAfter: number;
}

/** The 429 of GraphQL (spec: Errors, GraphQL), readable for GraphQL clients as well; JSON unless they ask for their own type. */
export function sendGraphqlTooManyRequests(
  req: IncomingMessage,
  res: ServerResponse,
  { documentationUrl, retryAfter }: Refusal,
): void {
  const errors = [{ message, extensions: { code: 'RATE_LIMITED' } }];
  refuse(res, retryAfter, { documentationUrl, message, retryAfter, errors }, mediaTypeOf(req));
}

export function sendTooManyRequests(res: ServerResponse, { documentationUrl, retryAfter }: Refusal): void {
  refuse(res, retryAfter, { message, documentation_url: documentationUrl, retry_after: retryAfter });
}

function refuse(res: ServerResponse, retryAfter: number, body: object, mediaType: string = json): void {
  res.setHeader('Retry-After', String(retryAfter));
  res.setHeader('Content-Type', `${mediaType}; charset=utf-8`);
  res.writeHead(429).end(JSON.stringify(body));
}

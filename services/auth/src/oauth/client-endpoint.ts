import { AppError, statusOf } from '@itsm/shared/base/errors/app-error';
import type { ErrorCode } from '@itsm/shared/base/errors/app-error';
import { isFault, toAppError } from '@itsm/shared/api/http/error-handler';
import { formBody } from '@itsm/shared/api/http/form-body';
import { readBytes } from '@itsm/shared/api/http/json-body';
import { readJsonText } from '@itsm/shared/api/http/json-text';
import { requestIdOf } from '@itsm/shared/api/http/request-id';
import { decodeText } from '@itsm/shared/base/texts/decode-text';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import express from 'express';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { ClientRequest } from './client-authentication';
import { invalidRequest, OAuthError } from './oauth-error';

/** Answers to clients, and errors, must not be cached (RFC 6749 §5.1). */
export const noStore: RequestHandler = (_req, res, next) => {
  res.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' });
  next();
};

/** Sends JSON without the ETag of Express, which would put a digest of tokens into a header. */
export function sendJson(res: Response, body: object): void {
  res.type('json').end(JSON.stringify(body));
}

const checkContentType: RequestHandler = (req, _res, next) => {
  if (!req.is(['application/x-www-form-urlencoded', 'application/json'])) {
    throw invalidRequest('Content-Type must be application/x-www-form-urlencoded or application/json');
  }
  next();
};

/** Parses a JSON body that was read as bytes, and refuses repeated members (RFC 6749 §3.2). */
const parseJson: RequestHandler = (req, _res, next) => {
  if (Buffer.isBuffer(req.body)) req.body = parseParameters(readBytes(req));
  next();
};

/** Form or JSON, of at most 64 KB. */
export const clientBody: RequestHandler[] = [
  noStore,
  checkContentType,
  ...formBody('64kb'),
  express.raw({ type: 'application/json', limit: '64kb' }),
  parseJson,
];

export const clientRequestOf = (req: Request, issuer: string): ClientRequest => ({
  authorization: req.get('authorization'),
  proof: req.get('dpop'),
  body: req.body as unknown,
  ip: req.ip ?? '',
  address: addressOf(req, issuer),
});

/** The URL that the client requested. With a DPoP proof the gateway passes it on, since it knows all hosts of the platform. */
export const addressOf = (req: Request, issuer: string): string =>
  req.get('x-original-uri') ?? `${issuer}${req.baseUrl}`;

/** RFC 6749 §5.2: 400, or 401 when the client authenticated with HTTP Basic, or with an assertion. */
export const answerClientErrors =
  (logger: Logger): ErrorRequestHandler =>
  (error: unknown, req, res, next) => {
    if (error instanceof AppError && error.code === 'method_not_allowed') {
      next(error);
      return;
    }
    const { status, refusal, headers } = translate(error);
    if (!(error instanceof OAuthError) && isFault(error))
      logger.error('client request failed', { requestId: requestIdOf(req), error });
    const challenge = refusal.error === 'invalid_client' && (req.get('authorization') !== undefined || signs(req));
    if (challenge) res.set('WWW-Authenticate', 'Basic realm="oauth", charset="UTF-8"');
    res.status(challenge ? 401 : status).set(headers);
    sendJson(res, { error: refusal.error, error_description: refusal.message });
  };

const signs = ({ body }: Request): boolean =>
  (body as { client_assertion?: unknown } | undefined)?.client_assertion !== undefined;

interface Answer {
  readonly status: number;
  readonly refusal: OAuthError;
  readonly headers: Readonly<Record<string, string>>;
}

const later: ReadonlySet<ErrorCode> = new Set(['service_unavailable', 'insufficient_storage', 'too_many_requests']);

function translate(error: unknown): Answer {
  if (error instanceof OAuthError) return { status: 400, refusal: error, headers: {} };
  const refused = toAppError(error);
  if (!refused) return { status: 500, refusal: new OAuthError('server_error', 'Internal Server Error'), headers: {} };
  // An unsupported encoding is a 400 too: RFC 6749 §5.2 has no other status for a malformed request.
  const status = refused.code === 'unsupported_media_type' ? 400 : statusOf[refused.code];
  const refusal = new OAuthError(
    later.has(refused.code) ? 'temporarily_unavailable' : 'invalid_request',
    refused.message,
  );
  return { status, refusal, headers: refused.details.headers ?? {} };
}

function parseParameters(bytes: Uint8Array): unknown {
  const parsed = readJsonText(bytes);
  const names = memberNames(decodeText(bytes));
  if (new Set(names).size < names.length) {
    throw invalidRequest('A parameter must be given once, as a string');
  }
  return parsed;
}

/** Names of the top-level members of valid JSON, with duplicates, which `JSON.parse` would hide. */
function memberNames(text: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let before = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (token === ':' && depth === 1) names.push(JSON.parse(before) as string);
    before = token;
  }
  return names;
}

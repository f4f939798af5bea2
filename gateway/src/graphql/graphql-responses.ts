import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLFormattedError } from 'graphql';
import { AppError, retryAfterSeconds, statusOf } from '@itsm/shared/base/errors/app-error';
import { isFault, toAppError } from '@itsm/shared/api/http/error-handler';
import { requestIdOf } from '@itsm/shared/api/http/request-id';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { setCostHeaders } from '../callers/limit-answers';
import type { CallOutcome } from './call.service';
import { codeOf } from '../supergraph/graphql-errors';
import { graphqlJson, json, mediaTypeOf } from '../transport/media-type';

export function checkAcceptable(req: IncomingMessage): void {
  if (mediaTypeOf(req) === undefined) throw new AppError('not_acceptable', 'Not Acceptable');
}

/**
 * Answers a call. What is refused is 200 as `application/json`, 400 as `application/graphql-response+json`. When a service is
 * out of reach, what the others gave is 200; nothing at all is 503. Both say when to call again.
 */
export function sendOutcome(
  req: IncomingMessage,
  res: ServerResponse,
  outcome: CallOutcome,
  documentationUrl: string,
): void {
  if (outcome.kind !== 'refused') setCostHeaders(res, outcome.cost);
  const isUnavailable = outcome.kind === 'executed' && outcome.errors.some(isOutOfReach);
  if (isUnavailable) res.setHeader('Retry-After', String(retryAfterSeconds));
  sendText(req, res, statusFor(req, outcome, isUnavailable), textOf(outcome, documentationUrl));
}

function statusFor(req: IncomingMessage, outcome: CallOutcome, isUnavailable: boolean): number {
  if (outcome.kind === 'refused') return mediaTypeOf(req) === graphqlJson ? 400 : 200;
  return isUnavailable && outcome.kind === 'executed' && isEmpty(outcome.data) ? statusOf.service_unavailable : 200;
}

const isOutOfReach = ({ extensions }: GraphQLFormattedError): boolean =>
  extensions?.['code'] === codeOf.service_unavailable;

/** Whether no root field was answered. */
function isEmpty(text: string): boolean {
  const data = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
  return data === null || Object.values(data).every((value) => value === null);
}

function textOf(outcome: CallOutcome, documentationUrl: string): string {
  switch (outcome.kind) {
    case 'refused':
      return JSON.stringify({ errors: outcome.errors });
    case 'too expensive': {
      const { cost, remaining } = outcome.cost;
      const message = `The call costs ${cost} points and ${remaining} are left in this window.`;
      const { line, column } = outcome.advice;
      const locations = line === undefined ? {} : { locations: [{ line, column }] };
      const extensions = { code: 'COST_LIMIT_EXCEEDED', value: cost, limit: remaining, ...outcome.advice };
      const refusal = { message, ...locations, documentationUrl, rateLimit: outcome.cost, extensions };
      return JSON.stringify({ errors: [refusal] });
    }
    case 'executed':
      return outcome.errors.length > 0
        ? `{"errors":${JSON.stringify(outcome.errors)},"data":${outcome.data}}`
        : `{"data":${outcome.data}}`;
  }
}

export function send(req: IncomingMessage, res: ServerResponse, status: number, body: object): void {
  sendText(req, res, status, JSON.stringify(body));
}

function sendText(req: IncomingMessage, res: ServerResponse, status: number, text: string): void {
  res.statusCode = status;
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Content-Type', `${mediaTypeOf(req) ?? json}; charset=utf-8`);
  res.end(text);
}

/** As Apollo Server says it where queries are not kept: 200, whatever the media type; clients then send the query. */
export function sendPersistedQueryNotSupported(req: IncomingMessage, res: ServerResponse): void {
  const message = 'PersistedQueryNotSupported';
  send(req, res, 200, { errors: [{ message, extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }] });
}

/** Refusals and faults on the way to a call: `{message}` as everywhere, and `errors` for GraphQL clients. */
export function sendError(req: IncomingMessage, res: ServerResponse, error: unknown, logger: Logger): void {
  const refused = toAppError(error);
  if (isFault(error)) logger.error('call failed', { requestId: requestIdOf(req), error });
  const message = refused?.message ?? 'Internal Server Error';
  const code = refused ? (codeOf[refused.code] ?? 'BAD_USER_INPUT') : 'INTERNAL_SERVER_ERROR';
  for (const [name, value] of Object.entries(refused?.details.headers ?? {})) res.setHeader(name, value);
  send(req, res, refused ? statusOf[refused.code] : 500, { message, errors: [{ message, extensions: { code } }] });
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, retryAfterSeconds, statusOf } from '@itsm/shared/base/errors/app-error';
import { isFault, logRefusal, toAppError } from '@itsm/shared/api/http/error-handler';
import { requestIdOf } from '@itsm/shared/api/http/request-id';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { setCostHeaders } from '../callers/limit-answers';
import type { CallOutcome } from './call.service';
import { codeOf } from '../supergraph/graphql-errors';
import type { Compression } from '../transport/compression';
import { graphqlJson, json, mediaTypeOf } from '../transport/media-type';

export function checkAcceptable(req: IncomingMessage): void {
  if (mediaTypeOf(req) === undefined) throw new AppError('not_acceptable', 'Not Acceptable');
}

/**
 * Sends the answer of a call. A refusal is 200 as `application/json`, and 400 as `application/graphql-response+json`.
 * When a service is unreachable, a partial answer is 200 and an empty one 503; both have `Retry-After`. When a store is
 * full, an empty answer is 507.
 */
export function sendOutcome(
  req: IncomingMessage,
  res: ServerResponse,
  outcome: CallOutcome,
  { documentationUrl, compression }: { readonly documentationUrl: string; readonly compression: Compression },
): void {
  if (outcome.kind !== 'refused') setCostHeaders(res, outcome.cost);
  const outage = outageIn(outcome);
  if (outage === 'service_unavailable') res.setHeader('Retry-After', String(retryAfterSeconds));
  const texts = textsOf(outcome, documentationUrl);
  setHead(req, res, statusFor(req, outcome, outage));
  if (outcome.kind === 'executed' && outcome.isCompressible) compression.send(req, res, texts);
  else res.end(texts.length === 1 ? texts[0] : Buffer.concat(texts.map((text) => Buffer.from(text as string))));
}

/** The error codes of an outcome, refused in whole or in part; empty for a call that was answered. */
export function refusalsOf(outcome: CallOutcome): readonly string[] {
  if (outcome.kind === 'too expensive') return ['COST_LIMIT_EXCEEDED'];
  return [...new Set(outcome.errors.map(({ extensions }) => String(extensions?.['code'])))];
}

function statusFor(req: IncomingMessage, outcome: CallOutcome, outage: Outage | undefined): number {
  if (outcome.kind === 'refused') return mediaTypeOf(req) === graphqlJson ? 400 : 200;
  return outage && outcome.kind === 'executed' && isEmpty(outcome.data) ? statusOf[outage] : 200;
}

const outages = ['service_unavailable', 'insufficient_storage'] as const;
type Outage = (typeof outages)[number];

const outageIn = (outcome: CallOutcome): Outage | undefined =>
  outages.find(
    (outage) =>
      outcome.kind === 'executed' && outcome.errors.some(({ extensions }) => extensions?.['code'] === codeOf[outage]),
  );

/** In bytes. Data of root nulls alone is always shorter, so longer texts need no parsing. */
const mostOfEmpty = 100_000;

/** Whether every root field is null. */
function isEmpty(text: string | Uint8Array): boolean {
  if (text.length > mostOfEmpty) return false;
  const data = JSON.parse(String(typeof text === 'string' ? text : Buffer.from(text))) as Readonly<
    Record<string, unknown>
  > | null;
  return data === null || Object.values(data).every((value) => value === null);
}

/** The parts of the response body, in order. */
function textsOf(outcome: CallOutcome, documentationUrl: string): readonly (string | Uint8Array)[] {
  switch (outcome.kind) {
    case 'refused':
      return [JSON.stringify({ errors: outcome.errors })];
    case 'too expensive': {
      const { cost, remaining } = outcome.cost;
      const message = `The call costs ${cost} points and ${remaining} are left in this window.`;
      const { line, column } = outcome.advice;
      const locations = line === undefined ? {} : { locations: [{ line, column }] };
      const extensions = { code: 'COST_LIMIT_EXCEEDED', value: cost, limit: remaining, ...outcome.advice };
      const refusal = { message, ...locations, documentationUrl, rateLimit: outcome.cost, extensions };
      return [JSON.stringify({ errors: [refusal] })];
    }
    case 'executed': {
      const start = outcome.errors.length > 0 ? `{"errors":${JSON.stringify(outcome.errors)},"data":` : '{"data":';
      return typeof outcome.data === 'string' ? [`${start}${outcome.data}}`] : [start, outcome.data, '}'];
    }
  }
}

export function send(req: IncomingMessage, res: ServerResponse, status: number, body: object): void {
  setHead(req, res, status);
  res.end(JSON.stringify(body));
}

function setHead(req: IncomingMessage, res: ServerResponse, status: number): void {
  res.statusCode = status;
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Content-Type', `${mediaTypeOf(req) ?? json}; charset=utf-8`);
}

/**
 * Refuses automatic persisted queries as Apollo Server does: 200 in any media type, upon which clients send the query
 * itself.
 */
export function sendPersistedQueryNotSupported(req: IncomingMessage, res: ServerResponse): void {
  const message = 'PersistedQueryNotSupported';
  send(req, res, 200, { errors: [{ message, extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }] });
}

/** Sends an error from before the execution: `{message}` as everywhere, and `errors` for GraphQL clients. */
export function sendError(req: IncomingMessage, res: ServerResponse, error: unknown, logger: Logger): void {
  const refused = toAppError(error);
  if (isFault(error)) logger.error('call failed', { requestId: requestIdOf(req), error });
  else if (refused) logRefusal(logger, req, [refused.code]);
  const message = refused?.message ?? 'Internal Server Error';
  const code = refused ? (codeOf[refused.code] ?? 'BAD_USER_INPUT') : 'INTERNAL_SERVER_ERROR';
  for (const [name, value] of Object.entries(refused?.details.headers ?? {})) res.setHeader(name, value);
  send(req, res, refused ? statusOf[refused.code] : 500, { message, errors: [{ message, extensions: { code } }] });
}

import type { GraphQLFormattedError } from 'graphql';
import { z } from 'zod';
import type { CalledService } from '@itsm/shared/api/identity/caller-token';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { largeCallHeader } from '@itsm/shared/api/graphql/large-query';
import { answerTooLarge } from '@itsm/shared/api/graphql/write-answer';
import { keyHeader } from '@itsm/shared/api/http/idempotency-key';
import { remainingTimeHeader } from '@itsm/shared/api/http/departure';
import { traceHeader } from '@itsm/shared/observing/tracing/tracing';
import { largeCallNodes } from '../callers/calls-in-flight';
import type { Breakers } from '../transport/breaker';
import { callerRefused, isCallerRefused } from '../callers/refused-caller';
import { beginFetch } from '../transport/call-record';
import { isTooLarge, post } from '../transport/exchange';
import { retryOnce } from '../transport/retry-once';
import type { ServicePool } from '../transport/upstreams';
import type { ExecutionContext } from './executor';

/** A service's answer to a call; its errors are in the form that clients see. */
export interface ServicePart {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: GraphQLFormattedError[];
}

/**
 * Sends a GraphQL request to a service on behalf of the caller; undefined when no usable answer came, which is logged.
 */
export type ServiceClient = (body: string, context: ExecutionContext) => Promise<ServicePart | undefined>;

/** Like `ServiceClient`, but the answer is unparsed: JSON text in UTF-8. */
export type ServiceCall = (body: string, context: ExecutionContext) => Promise<Uint8Array | undefined>;

export interface ServiceCallOptions extends ServicePool {
  readonly service: CalledService;
  readonly breakers: Breakers;
  readonly logger: Logger;
  readonly now: Clock;
}

/** Posts to the service; an answer over the size limit is replaced by the error `ANSWER_TOO_LARGE`. */
export function createServiceCall(options: ServiceCallOptions): ServiceCall {
  const { service, pool, turns, breakers, logger, now } = options;

  async function ask(body: string, context: ExecutionContext): Promise<Uint8Array | undefined> {
    if (!context.isShadow && !breakers.mayTry(context.accountId)) return undefined;
    const isRead = queries.test(body);
    const sent = { path: '/graphql', headers: headersOf(service, context, isRead), body };
    const { signal, repetition } = context;
    const attempt = (left: number) => post(pool, { ...sent, deadlineMilliseconds: left, signal });
    const chance = { isRead, deadline: context.deadline };
    const end = context.record && !context.isShadow ? beginFetch(context.record, service, now) : undefined;
    const answer = await retryOnce(attempt, chance)
      .catch((error: unknown) => {
        if (!isTooLarge(error) && !context.isShadow && !signal?.aborted) breakers.failed(context.accountId, error);
        throw error;
      })
      .finally(end);
    const { status } = answer;
    if (repetition && answer.isReplayed) repetition.isReplayed = true;
    if (!context.isShadow) note(status, context);
    if (status === 200 || status === 400) return answer.body;
    const { requestId } = context;
    if (isCallerRefused(logger, { to: service, status, challenge: undefined, requestId })) throw callerRefused();
    throw new Error(`answered ${status}`);
  }

  function note(status: number, { accountId }: ExecutionContext): void {
    if (status >= 500) breakers.failed(accountId);
    else breakers.succeeded(accountId);
  }

  return async (body, context) => {
    const { accountId, deadline } = context;
    try {
      return await turns.run(accountId, () => ask(body, context), { deadline, departure: () => context.signal });
    } catch (error) {
      if (context.signal?.aborted) return undefined;
      logger.warn('subgraph out of reach', { to: service, requestId: context.requestId, error });
      return isTooLarge(error) ? tooLarge : undefined;
    }
  };
}

const tooLarge = Buffer.from(JSON.stringify({ data: null, errors: [answerTooLarge] }));

/** Parses the answer that `call` gets from the named service. */
export const createServiceClient =
  (service: string, call: ServiceCall, logger: Logger): ServiceClient =>
  async (body, context) => {
    const answer = await call(body, context);
    if (!answer) return undefined;
    try {
      return partOf(JSON.parse(Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength).toString()));
    } catch (error) {
      logger.warn('subgraph out of reach', { to: service, requestId: context.requestId, error });
      return undefined;
    }
  };

const headersOf = (service: CalledService, context: ExecutionContext, isRead: boolean): string[] => {
  const { callerTokens, accountId, requestId, clientAddress, languages, deadline, rateLimit, repetition } = context;
  return [
    'authorization',
    `Bearer ${callerTokens[service]}`,
    'content-type',
    'application/json',
    'accept',
    'application/json',
    'x-service-account',
    accountId,
    'x-request-id',
    requestId,
    'x-forwarded-for',
    clientAddress,
    remainingTimeHeader,
    String(deadline.left()),
    ...languages,
    ...(repetition && !isRead ? [keyHeader, repetition.key] : []),
    ...(rateLimit.nodeCount >= largeCallNodes ? [largeCallHeader, 'true'] : []),
    ...Object.entries(traceHeader()).flat(),
  ];
};

/**
 * Matches bodies of queries, which may be retried. The gateway writes the bodies itself, with the operation type first.
 */
const queries = /^\{"query":"(query\b|\{)/;

const serviceErrors = z.array(
  z.object({
    message: z.string(),
    path: z.array(z.union([z.string(), z.number()])).optional(),
    extensions: z.object({ code: z.string().optional() }).optional(),
  }),
);
type ServiceError = z.output<typeof serviceErrors>[number];

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `data` is not validated or copied here: it may be large, and its keys are the client's choice. */
function partOf(answer: unknown): ServicePart {
  if (!isMap(answer)) throw new Error('answered no object');
  const { data, errors } = answer;
  if ((data ?? null) === null && !(Array.isArray(errors) && errors.length > 0))
    throw new Error('answered neither data nor errors');
  if (data !== undefined && data !== null && !isMap(data)) throw new Error('answered data that are no object');
  return {
    ...(data !== undefined && { data }),
    ...(errors !== undefined && { errors: serviceErrors.parse(errors).map(toPublic) }),
  };
}

/** An error without a code is an internal error of the service; its message is not shown to clients. */
function toPublic({ message, path, extensions }: ServiceError): GraphQLFormattedError {
  const code = extensions?.code;
  return {
    message: code === undefined ? 'Internal Server Error' : message,
    ...(path && { path }),
    extensions: { code: code ?? 'INTERNAL_SERVER_ERROR' },
  };
}

import type { GraphQLFormattedError } from 'graphql';
import type { Pool } from 'undici';
import { z } from 'zod';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { remainingTimeHeader } from '@itsm/shared/api/http/departure';
import { traceHeader } from '@itsm/shared/observing/tracing/tracing';
import type { Breakers } from '../transport/breaker';
import { isTooLarge, post } from '../transport/exchange';
import { onceMore } from '../transport/once-more';
import type { ExecutionContext } from './executor';

/** What a service answered of a call; errors as they are shown to the client. */
export interface ServicePart {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: GraphQLFormattedError[];
}

/** Posts a GraphQL request, as the caller, in the caller's account; undefined when no usable answer came, which is then logged. */
export type ServiceClient = (body: string, context: ExecutionContext) => Promise<ServicePart | undefined>;

export interface ServiceClientOptions {
  readonly service: string;
  readonly pool: Pool;
  readonly breakers: Breakers;
  readonly logger: Logger;
}

export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { service, pool, breakers, logger } = options;

  async function ask(body: string, context: ExecutionContext): Promise<string> {
    const sent = { path: '/graphql', headers: headersOf(context), body };
    const { signal } = context;
    const attempt = (left: number) => post(pool, { ...sent, deadlineMilliseconds: left, signal });
    const isRead = queries.test(body);
    const chance = { isRead, deadline: context.deadline };
    const { status, text } = await onceMore(attempt, chance).catch((error: unknown) => {
      if (!isTooLarge(error) && !context.isShadow && !signal?.aborted) breakers.failed(context.accountId, error);
      throw error;
    });
    if (!context.isShadow) note(status, context);
    if (status === 200 || status === 400) return text;
    throw new Error(`answered ${status}`);
  }

  function note(status: number, { accountId }: ExecutionContext): void {
    if (status >= 500) breakers.failed(accountId);
    else breakers.succeeded(accountId);
  }

  return async (body, context) => {
    if (!context.isShadow && !breakers.mayTry(context.accountId)) return undefined;
    try {
      return partOf(JSON.parse(await ask(body, context)));
    } catch (error) {
      if (context.signal?.aborted) return undefined;
      logger.warn('subgraph out of reach', { to: service, requestId: context.requestId, error });
      return isTooLarge(error) ? tooLarge : undefined;
    }
  };
}

const tooLarge: ServicePart = {
  data: null,
  errors: [
    {
      message: 'This part of the answer is longer than 16 MB. Ask for fewer fields or smaller pages.',
      extensions: { code: 'ANSWER_TOO_LARGE' },
    },
  ],
};

const headersOf = (context: ExecutionContext): string[] => {
  const { callerToken, accountId, requestId, clientAddress, languages, deadline } = context;
  return [
    'authorization',
    `Bearer ${callerToken}`,
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
    ...Object.entries(traceHeader()).flat(),
  ];
};

/** How a body begins that changes nothing: the gateway writes it, with the kind of operation first. */
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

/** Data is not copied: it may be large, and a response key may be any name. */
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

/** An error without a code is a fault of the service, and says nothing to the client. */
function toPublic({ message, path, extensions }: ServiceError): GraphQLFormattedError {
  const code = extensions?.code;
  return {
    message: code === undefined ? 'Internal Server Error' : message,
    ...(path && { path }),
    extensions: { code: code ?? 'INTERNAL_SERVER_ERROR' },
  };
}

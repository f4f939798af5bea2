import type { Pool } from 'undici';
import { z } from 'zod';
import { AppError } from '@itsm/shared/base/errors/app-error';
import { callerClaims } from '@itsm/shared/api/identity/caller';
import { calledServices } from '@itsm/shared/api/identity/caller-token';
import type { CalledService } from '@itsm/shared/api/identity/caller-token';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { traceHeader } from '@itsm/shared/observing/tracing/tracing';
import type { Deadline } from '../transport/deadline';
import { retryOnce } from '../transport/retry-once';

const jwt = z.string().regex(/^[\w-]+\.[\w-]+\.[\w-]+$/);

const answerSchema = z.discriminatedUnion('active', [
  z.object({ active: z.literal(false) }),
  z.object({
    active: z.literal(true),
    aud: z.string(),
    caller_tokens: z.record(z.enum(calledServices), jwt),
    claims: callerClaims,
    expires_in: z.number(),
    limit_key: z.string().min(1),
    cnf: z.object({ jkt: z.string().min(1) }).optional(),
    accounts: z.array(z.string()),
  }),
]);

/** An active token: the JWT for each service, its claims, the key of its limits, and the accounts whose revisions invalidate it. */
export interface Introspected {
  readonly callerTokens: Readonly<Record<CalledService, string>>;
  readonly claims: z.output<typeof callerClaims>;
  /** Seconds that the tokens were valid for when auth answered, by its clock. */
  readonly expiresIn: number;
  readonly limitKey: string;
  /** Thumbprint of the DPoP key that the token is bound to (RFC 9449 §6); undefined for a bearer token. */
  readonly jkt: string | undefined;
  readonly accounts: readonly string[];
}

/**
 * Introspects a token at auth; `undefined` when it is not active, or belongs to another resource server (RFC 9700
 * §2.3). 503 when auth is unreachable or its answer unreadable.
 */
export type Introspect = (asked: Asked, deadline: Deadline) => Promise<Introspected | undefined>;

interface Asked {
  readonly token: string;
  /** The id of the request that has the token, for the log of auth. */
  readonly requestId: string;
}

export function createIntrospection(auth: Pool, secret: string, logger: Logger, baseUrl: string): Introspect {
  return async (asked, deadline) => {
    try {
      const answer = answerSchema.parse(await ask(auth, { ...asked, secret, deadline }));
      if (!answer.active || answer.aud !== baseUrl) return undefined;
      return {
        callerTokens: answer.caller_tokens,
        claims: answer.claims,
        expiresIn: answer.expires_in,
        limitKey: answer.limit_key,
        jkt: answer.cnf?.jkt,
        accounts: answer.accounts,
      };
    } catch (error) {
      logger.warn('introspection failed', { error: error instanceof z.ZodError ? 'unexpected answer' : error });
      throw new AppError('service_unavailable', 'Service Unavailable');
    }
  };
}

interface Question extends Asked {
  readonly secret: string;
  readonly deadline: Deadline;
}

async function ask(auth: Pool, { secret, token, requestId, deadline }: Question): Promise<unknown> {
  const attempt = (left: number) =>
    auth.request({
      method: 'POST',
      path: '/internal/introspect',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        'x-request-id': requestId,
        ...traceHeader(),
      },
      body: JSON.stringify({ token }),
      signal: AbortSignal.timeout(left),
    });
  const { statusCode, body } = await retryOnce(attempt, { isRead: true, deadline });
  if (statusCode === 200) return body.json();
  await body.dump();
  throw new Error(`auth answered ${statusCode}`);
}

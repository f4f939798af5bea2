import { useMutation } from '@tanstack/react-query';
import type { UseMutationResult } from '@tanstack/react-query';
import { budgetIn } from '../api/budget';
import type { Budget } from '../api/budget';
import { ApiError, explain, failureOf } from '../api/errors';
import { request } from '../api/request';
import { directCall, readHeaders } from './identity';
import type { Identity } from './identity';

export interface Call {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
  readonly isMutation: boolean;
  /** The price by the formula; undefined when it was not computed. */
  readonly expectedCost: number | undefined;
  readonly identity: Identity;
  readonly signal: AbortSignal;
}

export interface CallError {
  readonly message: string;
  readonly line: number | undefined;
}

/** The result of a call. */
export interface Result {
  /** The HTTP status; undefined without a response. */
  readonly status: number | undefined;
  readonly milliseconds: number;
  /** The points in the response's header. */
  readonly cost: number | undefined;
  readonly expectedCost: number | undefined;
  /** What is left to the caller of this call: with a pasted token, not to the session. */
  readonly left: Budget | undefined;
  readonly requestId: string | undefined;
  /** The body; JSON is indented by two. */
  readonly text: string;
  readonly errors: readonly CallError[];
  /** Why there was no response, or none from the API. */
  readonly failure: string | undefined;
}

export const useCall = (account: string): UseMutationResult<Result, Error, Call> =>
  useMutation({ mutationFn: (call: Call) => send(account, call) });

async function send(account: string, call: Call) {
  const { query, variables, operationName, isMutation, expectedCost, identity, signal } = call;
  const body = { query, variables, operationName };
  const start = performance.now();
  try {
    const headers = readHeaders(identity);
    if (typeof headers === 'string') throw new ApiError({ kind: 'invalid', message: headers, refusals: [] });
    const answer =
      identity.token.trim() === ''
        ? await request('/console/graphql', { method: 'POST', account, isRead: !isMutation, signal, headers, body })
        : await fetch('/graphql', {
            ...directCall(identity.token, account, headers),
            body: JSON.stringify(body),
            signal,
          });
    const text = await answer.text();
    const parsed = parseBody(text);
    const cost = answer.headers.get('x-costlimit-cost');
    return {
      status: answer.status,
      milliseconds: performance.now() - start,
      cost: cost === null ? undefined : Number(cost),
      expectedCost,
      left: budgetIn(answer.headers),
      requestId: answer.headers.get('x-request-id') ?? undefined,
      text: parsed === undefined ? text : JSON.stringify(parsed, null, 2),
      errors: errorsOf(parsed),
      failure: refusals[answer.status]?.(account),
    };
  } catch (error) {
    if (signal.aborted) throw error;
    const failure = failureOf(error);
    return {
      status: failure.kind === 'too_fast' ? 429 : undefined,
      milliseconds: performance.now() - start,
      cost: undefined,
      expectedCost,
      left: undefined,
      requestId: failure.kind === 'broken' ? failure.requestId : undefined,
      text: '',
      errors: [],
      failure: explain(error),
    };
  }
}

/** Refusals of the whole call; with a session, 401 comes from the console's own server. */
const refusals: Readonly<Record<number, (account: string) => string>> = {
  401: () => 'The token is invalid or has expired.',
  403: (account) => `No role in ${account}.`,
};

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function errorsOf(body: unknown): CallError[] {
  const errors = (body as { readonly errors?: unknown } | undefined)?.errors;
  if (!Array.isArray(errors)) return [];
  return (errors as { readonly message?: string; readonly locations?: readonly { readonly line: number }[] }[]).map(
    ({ message, locations }) => ({ message: message ?? 'An error without a message.', line: locations?.[0]?.line }),
  );
}

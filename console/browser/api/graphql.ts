import { print } from '@0no-co/graphql.web';
import { initGraphQLTada } from 'gql.tada';
import type { TadaDocumentNode } from 'gql.tada';
import { ApiError, olderPlatform } from './errors';
import { askToSignInAgain } from './renewal';
import { messageOf, request } from './request';
import type { introspection } from './graphql-env';

/** Documents that are typed by the schema in `console/schema.graphql`. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  // All scalars are texts here; the platform validates states, times and ids.
  scalars: Record<
    | 'ISO8601Date'
    | 'ISO8601Timestamp'
    | 'ProblemImpact'
    | 'ProblemPriority'
    | 'ProblemStatus'
    | 'ProjectCategory'
    | 'ProjectStatus'
    | 'ProjectTaskCategory'
    | 'ProjectTaskStatus'
    | 'RequestCategory'
    | 'RequestImpact'
    | 'RequestPriority'
    | 'RequestStatus'
    | 'TaskCategory'
    | 'TaskImpact'
    | 'TaskStatus'
    | 'WebhookEvent'
    | 'WebhookPolicyJwtAlg'
    | 'WorkflowCategory'
    | 'WorkflowImpact'
    | 'WorkflowStatus',
    string
  >;
  disableMasking: true;
}>();

export type { ResultOf, VariablesOf } from 'gql.tada';

/** Why a part of an answer is missing; `path` as in GraphQL, starting with the root field. */
export interface PartError {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly code: string;
  /** With INSUFFICIENT_USER_AUTHENTICATION: the maximum age of a sign-in, in seconds. */
  readonly maxAge: number;
}

export interface Answer<Data> {
  readonly data: Data;
  /** The errors of missing parts; the other parts are present. */
  readonly errors: readonly PartError[];
}

interface Body<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions?: { readonly code?: string; readonly max_age?: number };
  }[];
}

/** Runs a document for an account. Throws `ApiError` only when there is no data at all. */
export async function run<Data, Variables>(
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  account: string,
  signal?: AbortSignal,
): Promise<Answer<Data>> {
  const query = print(document);
  const isRead = !query.startsWith('mutation');
  const answer = await request('/console/graphql', {
    method: 'POST',
    account,
    body: { query, variables },
    isRead,
    signal,
  });
  const text = await answer.text();
  if (answer.status === 403) throw new ApiError({ kind: 'wrong_account' });
  const body = parse<Body<Data>>(text);
  const errors = (body?.errors ?? []).map(({ message, path, extensions }) => ({
    path: path ?? [],
    message,
    code: extensions?.code ?? '',
    maxAge: extensions?.max_age ?? 0,
  }));
  if (body?.data && Object.values(body.data).some((part) => part !== null)) return { data: body.data, errors };
  const [first] = errors;
  if (first === undefined && body?.data) return { data: body.data, errors };
  const failure = failureOf(first, answer, messageOf(text));
  if (failure.kind === 'sign_in_again') askToSignInAgain(failure.maxAge);
  throw new ApiError(failure);
}

function failureOf(first: PartError | undefined, answer: Response, message: string | undefined): ApiError['failure'] {
  switch (first?.code) {
    case 'INSUFFICIENT_USER_AUTHENTICATION':
      return { kind: 'sign_in_again', maxAge: first.maxAge };
    case 'FORBIDDEN':
      return { kind: 'not_allowed', message: first.message };
    case 'COST_LIMIT_EXCEEDED':
    case 'RATE_LIMIT_EXCEEDED':
      return { kind: 'too_fast', seconds: Number(answer.headers.get('retry-after') ?? 60), message: first.message };
    case 'NOT_FOUND':
      return { kind: 'missing', message: first.message };
    // A test validates every document against the schema of its release, so the releases differ.
    case 'GRAPHQL_VALIDATION_FAILED':
      return olderPlatform(answer);
    case 'BAD_USER_INPUT':
      return { kind: 'invalid', message: first.message, refusals: [] };
    default:
      return {
        kind: 'broken',
        message: message ?? 'Something went wrong.',
        requestId: answer.headers.get('x-request-id') ?? undefined,
      };
  }
}

function parse<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

import { badRequest } from '@itsm/shared/base/errors/app-error';

/** The parameters of one call (GraphQL over HTTP, "Request Parameters"). */
export interface GraphqlRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Parses the JSON body of a call; 400 for a parameter of the wrong type. */
export function parseGraphqlRequest(body: unknown): GraphqlRequest {
  if (Array.isArray(body)) throw badRequest('Batches are not supported: send one operation in each call');
  if (!isMap(body)) throw badRequest('Invalid JSON');
  const { query, operationName, variables, extensions } = body;
  if (typeof query !== 'string' || query.trim() === '') throw badRequest('`query` must be a GraphQL document');
  if (!isAbsent(operationName) && typeof operationName !== 'string')
    throw badRequest('`operationName` must be a string');
  if (!isAbsent(variables) && !isMap(variables)) throw badRequest('`variables` must be an object');
  if (!isAbsent(extensions) && !isMap(extensions)) throw badRequest('`extensions` must be an object');
  return { query, operationName: operationName ? String(operationName) : undefined, variables: variables ?? {} };
}

/** Whether a body refers to a query by its hash instead of sending it (Apollo's automatic persisted queries). */
export const isPersistedQuery = (body: unknown): boolean =>
  isMap(body) && isAbsent(body['query']) && isMap(body['extensions']) && isMap(body['extensions']['persistedQuery']);

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

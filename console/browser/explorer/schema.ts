import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { buildSchema } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { ApiError, failureOf } from '../api/errors';
import { request } from '../api/request';

/** The schema of the API as it runs; the same for all accounts. */
export const useSchema = (account: string): UseQueryResult<GraphQLSchema> =>
  useQuery({
    queryKey: ['schema'],
    queryFn: ({ signal }) => loadSchema(account, signal),
    staleTime: 600_000,
    // Where it is asked too often, it comes later by itself.
    retry: (count, error) => failureOf(error).kind === 'too_fast' || count < 1,
    // A schema is compared by what it is made of, which takes long and is never equal.
    structuralSharing: false,
  });

async function loadSchema(account: string, signal: AbortSignal): Promise<GraphQLSchema> {
  const answer = await request('/console/schema', { account, isRead: true, signal });
  if (!answer.ok)
    throw new ApiError({
      kind: 'broken',
      message: 'The schema was not reached.',
      requestId: answer.headers.get('x-request-id') ?? undefined,
    });
  return buildSchema(await answer.text(), { assumeValid: true });
}

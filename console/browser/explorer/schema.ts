import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { buildSchema } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { ApiError, failureOf } from '../api/errors';
import { request } from '../api/request';

/** The schema of the running API; it is the same for all accounts. */
export const useSchema = (account: string): UseQueryResult<GraphQLSchema> =>
  useQuery({
    queryKey: ['schema'],
    queryFn: ({ signal }) => loadSchema(account, signal),
    staleTime: 600_000,
    // After a rate limit it is retried later.
    retry: (count, error) => failureOf(error).kind === 'too_fast' || count < 1,
    // Structural sharing would compare schemas deeply, which is slow and never finds them equal.
    structuralSharing: false,
  });

async function loadSchema(account: string, signal: AbortSignal): Promise<GraphQLSchema> {
  const answer = await request('/console/schema', { account, isRead: true, signal });
  if (!answer.ok)
    throw new ApiError({
      kind: 'broken',
      message: 'The schema could not be loaded.',
      requestId: answer.headers.get('x-request-id') ?? undefined,
    });
  return buildSchema(await answer.text(), { assumeValid: true });
}

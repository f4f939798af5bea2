import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { rest } from '../api/rest';
import type { Scopes } from './needed-scopes';

export const useScopes = (account: string): UseQueryResult<Scopes> =>
  useQuery({
    queryKey: ['scopes'],
    queryFn: ({ signal }) => rest<Scopes>(account, '/scopes', { signal }),
    staleTime: Infinity,
    retry: false,
  });

/** The page of the authorization server that creates a token; nothing is created before *Create* is pressed there. */
export function newTokenAddress(title: string, actions: readonly string[], account: string): string {
  const query = new URLSearchParams([
    ['name', title],
    ...actions.map((action) => ['action', action]),
    ['return', `/accounts/${account}/explorer`],
  ]);
  return `/oauth/profile?${query.toString()}#new-token`;
}

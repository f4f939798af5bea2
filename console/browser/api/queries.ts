import { QueryClient, keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { useRef } from 'react';
import type { TadaDocumentNode } from 'gql.tada';
import { mayPoll } from './budget';
import { failureOf } from './errors';
import { run } from './graphql';
import type { Answer } from './graphql';

/** After too many calls a query is retried when the platform says so; after a fault once; otherwise never. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => {
          const { kind } = failureOf(error);
          return kind === 'too_fast' ? count < 3 : kind === 'broken' && count < 1;
        },
        retryDelay: (count, error) => {
          const failure = failureOf(error);
          return failure.kind === 'too_fast' ? failure.seconds * 1_000 : 500 * 2 ** count;
        },
      },
      mutations: { retry: false },
    },
  });

interface DocumentOptions<Data> {
  readonly isEnabled?: boolean;
  /** Milliseconds until it is asked again, by what is known so far; false for never. Seldom while little is left of the limits. */
  readonly pollEvery?: ((known: Data | undefined) => number | false) | undefined;
}

/** What a document gives for an account; other variables show the former data until theirs are here. */
export function useDocument<Data, Variables>(
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  account: string,
  { isEnabled = true, pollEvery }: DocumentOptions<Data> = {},
): UseQueryResult<Answer<Data>> {
  return useQuery<Answer<Data>>({
    queryKey: [account, nameOf(document), variables],
    queryFn: ({ signal }) => run(document, variables, account, signal),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
    ...(pollEvery && {
      refetchInterval: ({ state }) => {
        const every = pollEvery(state.data?.data);
        return every === false || mayPoll() ? every : Math.max(every, 30_000);
      },
    }),
  });
}

/** A write; what was fetched of the account is asked again after it. The same write while it is under way is one call. */
export function useWrite<Data, Variables>(
  document: TadaDocumentNode<Data, Variables>,
  account: string,
): UseMutationResult<Answer<Data>, Error, Variables> {
  const underWay = useRef(new Map<string, Promise<Answer<Data>>>());
  return useMutation({
    // A second press comes before the button is drawn as busy.
    mutationFn: (variables: Variables) => {
      const key = JSON.stringify(variables);
      const known = underWay.current.get(key);
      if (known) return known;
      const call = run(document, variables, account).finally(() => underWay.current.delete(key));
      underWay.current.set(key, call);
      return call;
    },
    onSuccess: (_answer, _variables, _result, { client }) => client.invalidateQueries({ queryKey: [account] }),
  });
}

/** The name of its operation. */
export function nameOf(document: { readonly definitions: readonly { readonly kind: string }[] }): string {
  const [operation] = document.definitions.filter(({ kind }) => kind === 'OperationDefinition') as {
    readonly name?: { readonly value: string };
  }[];
  return operation?.name?.value ?? 'anonymous';
}

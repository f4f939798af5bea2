import { QueryClient, keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { useRef } from 'react';
import type { TadaDocumentNode } from 'gql.tada';
import { mayPoll } from './budget';
import { failureOf } from './errors';
import { run } from './graphql';
import type { Answer } from './graphql';
import { isTouched } from './touched';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { readonly document?: Parameters<typeof isTouched>[0] };
  }
}

/** Retry policy: after a rate limit when the platform says so, after an error once, otherwise never. */
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
  /**
   * The polling interval in milliseconds, by the data so far; false for none. It grows while little is left of the
   * limits.
   */
  readonly pollEvery?: ((known: Data | undefined) => number | false) | undefined;
}

/** The query of a document: its key in the cache, and how it is fetched. */
export const queryOf = <Data, Variables>(
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  account: string,
) => ({
  queryKey: [account, nameOf(document), variables],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => run(document, variables, account, signal),
  meta: { document },
});

/** The result of a document for an account. While new variables are fetched, the previous data stays. */
export function useDocument<Data, Variables>(
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  account: string,
  { isEnabled = true, pollEvery }: DocumentOptions<Data> = {},
): UseQueryResult<Answer<Data>> {
  return useQuery<Answer<Data>>({
    ...queryOf(document, variables, account),
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

/**
 * A write; it invalidates the account's queries that ask for its kind of thing afterwards, also when it finds nothing to
 * change: then the page is out of date. The same write in flight is one call (debounced).
 */
export function useWrite<Data, Variables>(
  document: TadaDocumentNode<Data, Variables>,
  account: string,
): UseMutationResult<Answer<Data>, Error, Variables> {
  const underWay = useRef(new Map<string, Promise<Answer<Data>>>());
  const refetch = (client: QueryClient): Promise<void> =>
    client.invalidateQueries({
      queryKey: [account],
      predicate: ({ meta }) => meta?.document !== undefined && isTouched(meta.document, document),
    });
  return useMutation({
    // A second press can arrive before the button is drawn as busy.
    mutationFn: (variables: Variables) => {
      const key = JSON.stringify(variables);
      const known = underWay.current.get(key);
      if (known) return known;
      const call = run(document, variables, account).finally(() => underWay.current.delete(key));
      underWay.current.set(key, call);
      return call;
    },
    onSuccess: (_answer, _variables, _result, { client }) => refetch(client),
    onError: (error, _variables, _result, { client }) =>
      failureOf(error).kind === 'missing' ? refetch(client) : undefined,
  });
}

/** The name of its operation. */
export function nameOf(document: { readonly definitions: readonly { readonly kind: string }[] }): string {
  const [operation] = document.definitions.filter(({ kind }) => kind === 'OperationDefinition') as {
    readonly name?: { readonly value: string };
  }[];
  return operation?.name?.value ?? 'anonymous';
}

import { useInfiniteQuery } from '@tanstack/react-query';
import type { TadaDocumentNode } from 'gql.tada';
import { mayPoll } from './budget';
import { run } from './graphql';
import type { Answer, PartError } from './graphql';
import { nameOf } from './queries';

/** A page of a connection. */
export interface Connection<Node> {
  readonly totalCount?: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly nodes: readonly Node[];
}

/** What the pages that were fetched so far have together. */
export interface Pages<Node> {
  readonly nodes: readonly Node[];
  readonly totalCount: number;
  readonly errors: readonly PartError[];
}

/** Fetches the page after those that are there; `onMore` is undefined at the last one. */
export interface NextPage {
  readonly onMore: (() => void) | undefined;
  readonly isPending: boolean;
}

/** The next page of what `usePages` gave. */
export const nextPage = (pages: {
  readonly hasNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
  readonly isFetchingNextPage: boolean;
}): NextPage => ({
  onMore: pages.hasNextPage ? () => void pages.fetchNextPage() : undefined,
  isPending: pages.isFetchingNextPage,
});

/**
 * The pages of one connection of a document, which has the variable `$after`; `connectionOf` finds it in the answer, and is null
 * where it was refused. Other variables begin with the first page again. `pollEvery` as of `useDocument`.
 */
export function usePages<Data, Variables extends { readonly after?: string | null | undefined }, Node>(
  document: TadaDocumentNode<Data, Variables>,
  variables: Omit<NoInfer<Variables>, 'after'>,
  account: string,
  connectionOf: (data: Data) => Connection<Node> | null | undefined,
  { pollEvery }: { readonly pollEvery?: (known: readonly Node[]) => number | false } = {},
) {
  return useInfiniteQuery<Answer<Data>, Error, Pages<Node>, readonly unknown[], string | null>({
    queryKey: [account, nameOf(document), variables],
    queryFn: ({ signal, pageParam }) =>
      run(document, Object.assign({}, variables, { after: pageParam }) as Variables, account, signal),
    initialPageParam: null,
    getNextPageParam: ({ data }) => {
      const pageInfo = connectionOf(data)?.pageInfo;
      return pageInfo?.hasNextPage === true ? pageInfo.endCursor : null;
    },
    select: ({ pages }): Pages<Node> => {
      const connections = pages.map(({ data }) => connectionOf(data));
      return {
        nodes: connections.flatMap((connection) => connection?.nodes ?? []),
        totalCount: connections[0]?.totalCount ?? 0,
        errors: pages.flatMap(({ errors }) => errors),
      };
    },
    placeholderData: (former) => former,
    ...(pollEvery && {
      refetchInterval: ({ state }) => {
        const pages = state.data?.pages ?? [];
        const every = pollEvery(pages.flatMap(({ data }) => connectionOf(data)?.nodes ?? []));
        return every === false || mayPoll() ? every : Math.max(every, 30_000);
      },
    }),
  });
}

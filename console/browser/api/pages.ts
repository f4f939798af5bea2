import { useInfiniteQuery } from '@tanstack/react-query';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
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

/** The combined pages that were fetched and are kept. */
export interface Pages<Node> {
  readonly nodes: readonly Node[];
  /** How many nodes are before these: of pages that are no longer kept. */
  readonly before: number;
  readonly totalCount: number;
  readonly errors: readonly PartError[];
}

/** Fetches the next page; `onMore` is undefined after the last one. */
export interface NextPage {
  readonly onMore: (() => void) | undefined;
  readonly isPending: boolean;
}

/** Where a page begins, with those before it, so that one can go back to them. */
interface Place {
  readonly after: string | null;
  readonly before: number;
  readonly previous?: Place;
}
const start: Place = { after: null, before: 0 };

/** The next page of a result of `usePages`. */
export const nextPage = (pages: {
  readonly hasNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
  readonly isFetchingNextPage: boolean;
}): NextPage => ({
  onMore: pages.hasNextPage ? () => void pages.fetchNextPage() : undefined,
  isPending: pages.isFetchingNextPage,
});

/** The limit of rows that are loaded for counting or sorting in the browser, which the platform does not offer. */
export const mostLoaded = 500;

/** Fetches page after page up to `mostLoaded`; returns whether it is still fetching. */
export function useAllPages(pages: {
  readonly data: Pages<unknown> | undefined;
  readonly error: Error | null;
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}): boolean {
  const { data, error, hasNextPage, isFetching, fetchNextPage } = pages;
  const loaded = data?.nodes.length ?? 0;
  const goesOn = hasNextPage && loaded < mostLoaded && error === null;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
    // `loaded`: a page can arrive before React has drawn that it was being fetched, so that nothing else has changed.
  }, [goesOn, isFetching, loaded, fetchNextPage]);
  return goesOn;
}

/**
 * The pages of one connection of a document with the variable `$after`. `connectionOf` finds the connection in the
 * answer, and is null when it was refused. Changed variables start again with the first page. `isEnabled` and
 * `pollEvery` are those of `useDocument`. Of more than `mostPages` only those around the last fetched one are kept.
 */
export function usePages<Data, Variables extends { readonly after?: string | null | undefined }, Node>(
  document: TadaDocumentNode<Data, Variables>,
  variables: Omit<NoInfer<Variables>, 'after'>,
  account: string,
  connectionOf: (data: Data) => Connection<Node> | null | undefined,
  {
    isEnabled = true,
    pollEvery,
    mostPages,
  }: {
    readonly isEnabled?: boolean;
    readonly pollEvery?: (known: readonly Node[]) => number | false;
    readonly mostPages?: number;
  } = {},
) {
  return useInfiniteQuery<Answer<Data>, Error, Pages<Node>, readonly unknown[], Place>({
    queryKey: [account, nameOf(document), variables],
    queryFn: ({ signal, pageParam }) =>
      run(document, Object.assign({}, variables, { after: pageParam.after }) as Variables, account, signal),
    meta: { document },
    initialPageParam: start,
    getNextPageParam: ({ data }, _pages, previous): Place | null => {
      const { pageInfo, nodes = [] } = connectionOf(data) ?? {};
      if (pageInfo?.hasNextPage !== true) return null;
      return { after: pageInfo.endCursor, before: previous.before + nodes.length, previous };
    },
    getPreviousPageParam: (_page, _pages, { previous }) => previous,
    ...(mostPages !== undefined && { maxPages: mostPages }),
    select: ({ pages, pageParams }): Pages<Node> => {
      const connections = pages.map(({ data }) => connectionOf(data));
      return {
        nodes: connections.flatMap((connection) => connection?.nodes ?? []),
        before: pageParams[0]?.before ?? 0,
        totalCount: connections[0]?.totalCount ?? 0,
        errors: pages.flatMap(({ errors }) => errors),
      };
    },
    placeholderData: (former) => former,
    enabled: isEnabled,
    ...(pollEvery && {
      refetchInterval: ({ state }) => {
        const pages = state.data?.pages ?? [];
        const every = pollEvery(pages.flatMap(({ data }) => connectionOf(data)?.nodes ?? []));
        return every === false || mayPoll() ? every : Math.max(every, 30_000);
      },
    }),
  });
}

/** Goes back to the first page of what `usePages` has fetched, however many pages are between; forgets the others. */
export async function firstAgain<Data, Variables>(
  client: QueryClient,
  document: TadaDocumentNode<Data, Variables>,
  variables: object,
  account: string,
): Promise<void> {
  const queryKey = [account, nameOf(document), variables];
  client.setQueryData<InfiniteData<unknown, Place>>(
    queryKey,
    (known) => known && { pages: known.pages.slice(0, 1), pageParams: [start] },
  );
  await client.invalidateQueries({ queryKey, exact: true });
}

/** The nodes of a connection so far, and whether these are all. */
export interface Whole<Node> {
  readonly nodes: readonly Node[];
  readonly areAll: boolean;
}

/**
 * Completes a connection whose `first` page is in the screen's own document: `document` fetches the others, up to
 * `mostLoaded`. The other arguments are those of `usePages`.
 */
export function useWhole<Data, Variables extends { readonly after?: string | null | undefined }, Node>(
  first: Connection<Node> | null | undefined,
  ...[document, variables, account, connectionOf, options]: Parameters<typeof usePages<Data, Variables, Node>>
): Whole<Node> {
  const isMore = first?.pageInfo.hasNextPage === true;
  const pages = usePages(document, variables, account, connectionOf, { ...options, isEnabled: isMore });
  useAllPages(pages);
  return {
    nodes: (isMore ? pages.data?.nodes : undefined) ?? first?.nodes ?? [],
    areAll: !isMore || (pages.data !== undefined && !pages.hasNextPage),
  };
}

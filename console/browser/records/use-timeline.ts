import { useInfiniteQuery } from '@tanstack/react-query';
import { restPage } from '../api/rest';
import type { Kind } from './kinds';
import { entriesOf } from './timeline-entries';
import type { AuditLine, Entry, Note } from './timeline-entries';

interface Part {
  readonly account: string;
  readonly kind: Kind;
  readonly number: string;
}

const perPage = 50;

/** The pages of a list below a record, the newest first. */
function useParts<T>({ account, kind, number }: Part, list: 'notes' | 'audit', isEnabled: boolean) {
  const first = `/${kind.plural}/${number}/${list}?sort=-id&per_page=${perPage}`;
  return useInfiniteQuery({
    queryKey: [account, list, kind.plural, number],
    queryFn: ({ signal, pageParam }) => restPage<T>(account, pageParam, signal),
    initialPageParam: first,
    getNextPageParam: ({ next }) => next,
    enabled: isEnabled,
  });
}

/** The history of a record as far as it has been read, with what `Fetched` needs to know about it. */
export function useTimeline(part: Part, { hasNotes, hasHistory }: { hasNotes: boolean; hasHistory: boolean }) {
  const notes = useParts<Note>(part, 'notes', hasNotes);
  const lines = useParts<AuditLine>(part, 'audit', hasHistory);
  const lists = [...(hasNotes ? [notes] : []), ...(hasHistory ? [lines] : [])];
  const isWhole = lists.every(({ data }) => data !== undefined);
  const failed = lists.find(({ error }) => error !== null) ?? lists.find(({ failureReason }) => failureReason !== null);
  const readOf = <T>({
    data,
    hasNextPage,
  }: {
    data: { pages: readonly { data: readonly T[] }[] } | undefined;
    hasNextPage: boolean;
  }) => ({
    events: data?.pages.flatMap((page) => page.data) ?? [],
    hasMore: hasNextPage,
  });
  const entries: readonly Entry[] | undefined = isWhole
    ? entriesOf(readOf<Note>(notes), readOf<AuditLine>(lines))
    : undefined;
  return {
    data: entries,
    error: failed?.error ?? null,
    failureReason: failed?.failureReason ?? null,
    failureCount: failed?.failureCount ?? 0,
    isPlaceholderData: false,
    refetch: () => Promise.all(lists.filter(({ isError }) => isError).map((list) => list.refetch())),
    older: lists.some(({ hasNextPage }) => hasNextPage)
      ? () => Promise.all(lists.filter(({ hasNextPage }) => hasNextPage).map((list) => list.fetchNextPage()))
      : undefined,
    isFetchingOlder: lists.some(({ isFetchingNextPage }) => isFetchingNextPage),
  };
}

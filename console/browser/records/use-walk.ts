import { useEffect, useState } from 'react';
import type { Pages } from '../api/pages';
import type { Range } from '../design/table-window';
import type { ListedRecord } from './list-document';

/** The most that the platform sends at once. */
export const pageSize = 100;

/** The pages of a list, as `usePages` gives them. */
export interface Walked {
  readonly data: Pages<ListedRecord> | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  readonly isFetchingNextPage: boolean;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
  readonly fetchPreviousPage: () => Promise<unknown>;
}

/** Fetches pages where the window of the table comes near to the end of what is kept, or to its beginning. */
export function useWalk(
  pages: Walked,
  kept: { readonly before: number; readonly end: number },
  onFirst: () => void,
): (range: Range) => void {
  const [range, setRange] = useState<Range>({ start: 0, end: 0, wanted: 0 });
  const { error, isFetching, hasNextPage, hasPreviousPage, fetchNextPage, fetchPreviousPage } = pages;
  const margin = pageSize / 4;
  const isIdle = !isFetching && error === null && range.end > 0;
  const isAtEnd = isIdle && hasNextPage && range.end + margin > kept.end;
  const isAtBeginning = isIdle && hasPreviousPage && range.start - margin < kept.before;
  // Page by page it would be a long way.
  const isFar = isAtBeginning && range.wanted < pageSize && kept.before > 2 * pageSize;
  useEffect(() => {
    if (isAtEnd) void fetchNextPage();
    else if (isFar) onFirst();
    else if (isAtBeginning) void fetchPreviousPage();
    // `kept`: a page can arrive before React has drawn that it was being fetched.
  }, [isAtEnd, isAtBeginning, isFar, kept.end, kept.before, fetchNextPage, fetchPreviousPage]);
  return setRange;
}

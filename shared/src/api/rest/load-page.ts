import type { CollectionRead, CollectionSource } from './collection-source';
import { formatCursor } from './cursor';
import { keyOf } from './order';
import type { OrderStep } from './order';
import type { Condition } from './filter';
import { pageParameters } from './page-request';
import type { PageRequest } from './page-request';

/** One page of records, and the query parameters of its neighbours. */
export interface Page<T> {
  readonly records: readonly T[];
  readonly perPage: number;
  readonly page: number;
  readonly totalEntries: number;
  readonly totalPages: number;
  readonly prev: Readonly<Record<string, string>> | undefined;
  readonly next: Readonly<Record<string, string>> | undefined;
}

export async function loadPage<T extends { readonly id: number | string }>(
  source: CollectionSource<T>,
  order: readonly OrderStep[],
  request: PageRequest,
  fields: readonly string[],
  filter: readonly Condition[] = [],
): Promise<Page<T>> {
  const [found, totalEntries] = await Promise.all([
    source.read({ ...rangeOf(request), order, fields, filter, limit: request.perPage + 1 }),
    source.count(filter),
  ]);
  // One extra record shows whether there is another page.
  const more = found.length > request.perPage;
  const backwards = 'before' in request.from;
  const records = backwards ? found.slice(-request.perPage) : found.slice(0, request.perPage);
  const page = pageNumber(request);
  const toNext = link(order, request, records.at(-1), 'search_after', page + 1);
  const toPrev = link(order, request, records[0], 'search_before', page - 1);
  return {
    records,
    perPage: request.perPage,
    page,
    totalEntries,
    totalPages: Math.ceil(totalEntries / request.perPage),
    next: more || backwards ? toNext : undefined,
    prev: hasPrevious(request, more) ? toPrev : undefined,
  };
}

function rangeOf({ from, perPage }: PageRequest): Pick<CollectionRead, 'skip' | 'after' | 'before'> {
  if ('after' in from) return { skip: 0, after: from.after.key };
  if ('before' in from) return { skip: 0, before: from.before.key };
  return { skip: (from.page - 1) * perPage };
}

function pageNumber({ from }: PageRequest): number {
  if ('after' in from) return from.after.page;
  return 'before' in from ? from.before.page : from.page;
}

function hasPrevious({ from }: PageRequest, more: boolean): boolean {
  if ('page' in from) return from.page > 1;
  return 'after' in from || more;
}

function link(
  order: readonly OrderStep[],
  request: PageRequest,
  edge: object | undefined,
  parameter: 'search_after' | 'search_before',
  page: number,
): Readonly<Record<string, string>> | undefined {
  if (request.numbered) return { page: String(page) };
  return edge && { [parameter]: formatCursor(order, { key: keyOf(order, edge), page }) };
}

const positions: readonly string[] = pageParameters.slice(1);

/**
 * `Link` with absolute `first`, `prev` and `next`, and the four `x-pagination-…` headers. `url` is the request's,
 * starting with the path.
 */
export function pageHeaders(baseUrl: string, url: string, page: Page<unknown>): Record<string, string> {
  const links = [
    linkTo(baseUrl, url, 'first', page.prev && 'page' in page.prev ? { page: '1' } : {}),
    page.prev && linkTo(baseUrl, url, 'prev', page.prev),
    page.next && linkTo(baseUrl, url, 'next', page.next),
  ];
  return {
    Link: links.filter(Boolean).join(', '),
    'x-pagination-per-page': String(page.perPage),
    'x-pagination-current-page': String(page.page),
    'x-pagination-total-pages': String(page.totalPages),
    'x-pagination-total-entries': String(page.totalEntries),
  };
}

function linkTo(baseUrl: string, url: string, rel: string, position: Readonly<Record<string, string>>): string {
  const target = new URL(url, 'http://localhost');
  for (const name of positions) target.searchParams.delete(name);
  for (const [name, value] of Object.entries(position)) target.searchParams.set(name, value);
  return `<${baseUrl.replace(/\/$/, '')}${target.pathname}${target.search}>; rel="${rel}"`;
}

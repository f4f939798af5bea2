import type { Page } from './load-page';
import { pageParameters } from './page-request';

const positions: readonly string[] = pageParameters.slice(1);

/** `Link` with absolute `first`, `prev` and `next`, and the four `x-pagination-…` headers. `url` is the request's, from the path on. */
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

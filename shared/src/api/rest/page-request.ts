import { badRequest } from '../../base/errors/app-error';
import type { Cursor } from './cursor';
import { parseCursor } from './cursor';
import type { OrderStep } from './order';

/** The requested part of a collection: a numbered page, or a page after or before a cursor. */
export interface PageRequest {
  readonly perPage: number;
  readonly from: { readonly page: number } | { readonly after: Cursor } | { readonly before: Cursor };
  /** A client that used page numbers gets links with page numbers; others get cursors. */
  readonly numbered: boolean;
}

export const pageParameters = ['per_page', 'page', 'search_after', 'search_before'] as const;

/**
 * Parses `per_page` (1 to 100, default 20) and at most one of `page`, `search_after` and `search_before`; 400
 * otherwise.
 */
export function parsePageRequest(parameters: ReadonlyMap<string, string>, order: readonly OrderStep[]): PageRequest {
  const perPage = parseWithin(parameters, 'per_page', 100) ?? 20;
  const given = pageParameters.slice(1).filter((name) => parameters.has(name));
  if (given.length > 1) throw badRequest(`Only one of ${given.join(' and ')} can be given`);
  const after = parameters.get('search_after');
  if (after !== undefined)
    return { perPage, numbered: false, from: { after: parseCursor(order, 'search_after', after) } };
  const before = parameters.get('search_before');
  if (before !== undefined)
    return { perPage, numbered: false, from: { before: parseCursor(order, 'search_before', before) } };
  const page = parseWithin(parameters, 'page', 1_000_000);
  return { perPage, numbered: page !== undefined, from: { page: page ?? 1 } };
}

function parseWithin(parameters: ReadonlyMap<string, string>, name: string, most: number): number | undefined {
  const text = parameters.get(name);
  if (text === undefined) return undefined;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) throw badRequest(`${name} must be an integer from 1 to ${most}`);
  return value;
}

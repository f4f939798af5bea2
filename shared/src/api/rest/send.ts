import type { Request, RequestHandler, Response } from 'express';
import type { CollectionSource } from './collection-source';
import { isVersioned, tagOfRecord } from '../http/if-match';
import { present, parseFields } from './resource';
import type { Resource } from './resource';
import { parseFilter } from './filter';
import { loadPage, pageHeaders } from './load-page';
import { parseOrder } from './order';
import type { OrderStep } from './order';
import { pageParameters, parsePageRequest } from './page-request';
import { checkParameters, parseQueryParameters } from './query-parameters';

interface Shape<T extends { readonly id: number | string }, V> {
  readonly resource: Resource<T, V>;
  readonly view: V;
}

interface CollectionAnswer<T extends { readonly id: number | string }, V> extends Shape<T, V> {
  /** The source, or a function of the query parameters, including those in `further`. */
  readonly source: CollectionSource<T> | ((parameters: ReadonlyMap<string, string>) => CollectionSource<T>);
  readonly further?: readonly string[];
  /** The default order; by id otherwise. */
  readonly usualOrder?: readonly OrderStep[];
  /** The public origin, for absolute links. */
  readonly baseUrl: string;
}

interface RecordAnswer<T extends { readonly id: number | string }, V> extends Shape<T, V> {
  readonly record: T;
  /** Members that this answer alone has. */
  readonly shownOnce?: object | undefined;
}

/**
 * Answers one page according to `fields`, `sort`, the filters, `per_page` and the cursors. Express adds the weak ETag
 * and the 304.
 */
export async function sendCollection<T extends { readonly id: number | string }, V>(
  req: Request,
  res: Response,
  { resource, source, further = [], usualOrder, view, baseUrl }: CollectionAnswer<T, V>,
): Promise<void> {
  const parameters = parseQueryParameters(req.originalUrl);
  const filters = Object.keys(resource.filterable ?? {});
  checkParameters(parameters, [...further, 'fields', 'sort', ...pageParameters, ...filters]);
  const fields = parseFields(resource, parameters.get('fields'), 'collection');
  const sort = parameters.get('sort');
  const order = sort === undefined && usualOrder ? usualOrder : parseOrder(resource, sort);
  const records = typeof source === 'function' ? source(parameters) : source;
  const request = parsePageRequest(parameters, order);
  const page = await loadPage(records, order, request, fields, parseFilter(resource, parameters));
  res.set(pageHeaders(baseUrl, req.originalUrl, page));
  res.json(page.records.map((record) => present(resource, fields, record, view)));
}

/** The names of what the answer with one record shows, by `fields`; all of them unless it is given. */
export const fieldsOf = <T extends { readonly id: number | string }, V>(req: Request, resource: Resource<T, V>) =>
  parseFields(resource, parseQueryParameters(req.originalUrl).get('fields'), 'single');

/** Validates the query, of which a write knows `fields`, before its handler runs: a bad one changes nothing. */
export const checkFields =
  <T extends { readonly id: number | string }, V>(resource: Resource<T, V>): RequestHandler =>
  (req, _res, next) => {
    checkParameters(parseQueryParameters(req.originalUrl), ['fields']);
    fieldsOf(req, resource);
    next();
  };

/** Answers one record, with all fields unless `fields` is given. Express adds a weak tag to one without a version. */
export function sendRecord<T extends { readonly id: number | string; readonly version?: number }, V>(
  req: Request,
  res: Response,
  { resource, record, view, shownOnce }: RecordAnswer<T, V>,
): void {
  const body = present(resource, fieldsOf(req, resource), record, view);
  if (isVersioned(record)) res.set('ETag', tagOfRecord(record, body));
  if (shownOnce) res.set('Cache-Control', 'no-store');
  res.json({ ...body, ...shownOnce });
}

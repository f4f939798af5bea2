import type { Request, RequestHandler, Response } from 'express';
import type { CollectionSource } from './collection-source';
import { present, parseFields } from './resource';
import type { Resource } from './resource';
import { parseFilter } from './filter';
import { loadPage, pageHeaders } from './load-page';
import { parseOrder } from './order';
import { pageParameters, parsePageRequest } from './page-request';
import { checkParameters, parseQueryParameters } from './query-parameters';

interface Shape<T extends { readonly id: number | string }, V> {
  readonly resource: Resource<T, V>;
  readonly view: V;
}

interface CollectionAnswer<T extends { readonly id: number | string }, V> extends Shape<T, V> {
  readonly source: CollectionSource<T>;
  /** Public origin, start of the links. */
  readonly baseUrl: string;
}

interface RecordAnswer<T extends { readonly id: number | string }, V> extends Shape<T, V> {
  readonly record: T;
}

/** Answers one page as `fields`, `sort`, the filters, `per_page` and the cursors ask. Express adds the weak ETag and the 304. */
export async function sendCollection<T extends { readonly id: number | string }, V>(
  req: Request,
  res: Response,
  { resource, source, view, baseUrl }: CollectionAnswer<T, V>,
): Promise<void> {
  const parameters = parseQueryParameters(req.originalUrl);
  checkParameters(parameters, ['fields', 'sort', ...pageParameters, ...Object.keys(resource.filterable ?? {})]);
  const fields = parseFields(resource, parameters.get('fields'), 'collection');
  const order = parseOrder(resource, parameters.get('sort'));
  const page = await loadPage(
    source,
    order,
    parsePageRequest(parameters, order),
    fields,
    parseFilter(resource, parameters),
  );
  res.set(pageHeaders(baseUrl, req.originalUrl, page));
  res.json(page.records.map((record) => present(resource, fields, record, view)));
}

const fieldsOf = <T extends { readonly id: number | string }, V>(req: Request, resource: Resource<T, V>) =>
  parseFields(resource, parseQueryParameters(req.originalUrl).get('fields'), 'single');

/** Refuses wrong `fields` before a route that answers the record it changes has changed it. */
export const checkFields =
  <T extends { readonly id: number | string }, V>(resource: Resource<T, V>): RequestHandler =>
  (req, _res, next) => {
    fieldsOf(req, resource);
    next();
  };

/** Answers one record: all fields unless `fields` is given. */
export function sendRecord<T extends { readonly id: number | string }, V>(
  req: Request,
  res: Response,
  { resource, record, view }: RecordAnswer<T, V>,
): void {
  res.json(present(resource, fieldsOf(req, resource), record, view));
}

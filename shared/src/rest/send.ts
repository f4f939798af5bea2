import type { Request, Response } from 'express';
import type { CollectionSource } from './collection-source';
import { parseFields } from './fields';
import { parseFilter } from './filter';
import { loadPage } from './load-page';
import { parseOrder } from './order';
import { pageHeaders } from './page-headers';
import { pageParameters, parsePageRequest } from './page-request';
import { checkParameters, parseQueryParameters } from './query-parameters';
import { present } from './resource';
import type { Resource } from './resource';

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

/** Answers one record: all fields unless `fields` is given. */
export function sendRecord<T extends { readonly id: number | string }, V>(
  req: Request,
  res: Response,
  { resource, record, view }: RecordAnswer<T, V>,
): void {
  const fields = parseFields(resource, parseQueryParameters(req.originalUrl).get('fields'), 'single');
  res.json(present(resource, fields, record, view));
}

import type { Request, Response } from 'express';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { present, parseFields } from '@itsm/shared/api/rest/resource';
import { parseFilter } from '@itsm/shared/api/rest/filter';
import { loadPage, pageHeaders } from '@itsm/shared/api/rest/load-page';
import { parseOrder } from '@itsm/shared/api/rest/order';
import type { OrderStep } from '@itsm/shared/api/rest/order';
import { pageParameters, parsePageRequest } from '@itsm/shared/api/rest/page-request';
import { checkParameters, parseQueryParameters } from '@itsm/shared/api/rest/query-parameters';
import type { DeliveryFilter, DeliveryRepository } from './delivery.repository';
import { deliveryResource as resource } from './delivery.resource';
import type { DeliveryView } from './delivery.resource';

export const newestFirst: readonly OrderStep[] = [
  { field: 'created_at', property: 'createdAt', descending: true },
  { field: 'id', property: 'id', descending: true },
];

/** The same the other way round; the index of the log serves both. */
export const oldestFirst: readonly OrderStep[] = newestFirst.map((step) => ({ ...step, descending: false }));

interface Dependencies {
  readonly deliveries: DeliveryRepository;
  readonly view: DeliveryView;
  readonly baseUrl: string;
}

/** Answers a page of the log of the caller's account; `narrow` reads what it is narrowed to from the parameters in `own`. */
export function createDeliveryList({ deliveries, view, baseUrl }: Dependencies) {
  return async function list(
    req: Request,
    res: Response,
    own: readonly string[],
    narrow: (parameters: ReadonlyMap<string, string>) => DeliveryFilter,
  ): Promise<void> {
    const parameters = parseQueryParameters(req.originalUrl);
    checkParameters(parameters, [
      ...own,
      'fields',
      'sort',
      ...pageParameters,
      ...Object.keys(resource.filterable ?? {}),
    ]);
    const fields = parseFields(resource, parameters.get('fields'), 'collection');
    const sort = parameters.get('sort');
    const order = sort === undefined ? newestFirst : parseOrder(resource, sort);
    const source = deliveries.collect(callerOf(req).accountId, narrow(parameters));
    const request = parsePageRequest(parameters, order);
    const page = await loadPage(source, order, request, fields, parseFilter(resource, parameters));
    res.set(pageHeaders(baseUrl, req.originalUrl, page));
    res.json(page.records.map((delivery) => present(resource, fields, delivery, view)));
  };
}

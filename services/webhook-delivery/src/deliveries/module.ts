import type { MessagingPlatform, Module } from '@itsm/shared/running/module';
import { createDeliveryCountsRepository } from './delivery-counts.repository';
import { createDeliveryRepository } from './delivery.repository';
import type { DeliveryRepository } from './delivery.repository';
import { createDeliveryResolvers } from './delivery.resolvers';
import type { DeliveryView } from './delivery.resource';
import { createDeliveryRouter, createWebhookDeliveryRouter } from './delivery.routes';
import { deliveryTypeDefs } from './delivery.sdl';
import { createRequestLog } from './request-log';
import { createOutboundRequests } from './sealed-request';
import type { ToOutboundRequest } from './sealed-request';
import { createSkippedRepository } from './skipped.repository';
import type { SkippedRepository } from './skipped.repository';
import { createStopRepository } from './stop.repository';
import type { StopRepository } from './stop.repository';

export { deliveriesCollection } from './delivery.document';

interface Needs {
  /** Prefixes that replace `X-Service` in header aliases. */
  readonly deliveryHeaderAliases: readonly string[];
}

export interface Deliveries extends Module {
  readonly store: DeliveryRepository;
  readonly stops: StopRepository;
  readonly skipped: SkippedRepository;
  readonly toOutboundRequest: ToOutboundRequest;
  readonly view: DeliveryView;
}

export function createDeliveries(platform: MessagingPlatform, { deliveryHeaderAliases }: Needs): Deliveries {
  const { connection, sealer, baseUrl, nodeIdDomain } = platform;
  const store = createDeliveryRepository(connection);
  const stops = createStopRepository(connection);
  const skipped = createSkippedRepository(connection);
  const toOutboundRequest = createOutboundRequests({ baseUrl, deliveryHeaderAliases });
  const view = { nodeIdDomain, requests: createRequestLog(sealer, toOutboundRequest) };
  const api = { deliveries: store, counts: createDeliveryCountsRepository(connection), view, baseUrl };
  return {
    store,
    stops,
    skipped,
    toOutboundRequest,
    view,
    sdl: deliveryTypeDefs,
    resolvers: createDeliveryResolvers(api),
    routes: [
      { path: '/v1/webhooks', access: 'caller', router: createWebhookDeliveryRouter(api) },
      { path: '/v1/webhook_deliveries', access: 'caller', router: createDeliveryRouter(api) },
    ],
    stores: [store, stops, skipped],
  };
}

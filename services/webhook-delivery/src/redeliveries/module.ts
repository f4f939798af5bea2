import type { MessagingPlatform, Module } from '@itsm/shared/running/module';
import type { Delivery } from '../deliveries/delivery';
import type { Deliveries } from '../deliveries/module';
import { createScheduleRepository } from '../deliveries/delivery-schedule.repository';
import { createRedeliveryRepository } from '../deliveries/redelivery.repository';
import { createRedeliveryResolvers, redeliveryTypeDefs } from './redelivery.resolvers';
import { createRedeliveryRouter } from './redelivery.routes';
import { createRedeliveryService } from './redelivery.service';
import type { RedeliveryService } from './redelivery.service';
import { createRetryService } from './retry.service';
import { createSkippedService } from './skipped.service';
import type { SkippedService } from './skipped.service';

interface Needs {
  readonly deliveries: Deliveries;
  /** Stores a due delivery for attempt when a slot is free; false when it was stored before. */
  readonly enqueue: (delivery: Delivery) => Promise<boolean>;
  /** Reports that a stored delivery became due; it is attempted when a slot is free. */
  readonly wake: (delivery: Delivery) => void;
}

export interface Redeliveries extends Module {
  readonly service: RedeliveryService;
  readonly skipped: SkippedService;
}

export function createRedeliveries(platform: MessagingPlatform, { deliveries, enqueue, wake }: Needs): Redeliveries {
  const { connection, sealer, logger, now, baseUrl, nodeIdDomain } = platform;
  const { store, stops, view } = deliveries;
  const schedule = createScheduleRepository(connection);
  const retries = createRetryService({ deliveries: store, schedule, wake, logger, now });
  const service = createRedeliveryService({
    deliveries: store,
    redeliveries: createRedeliveryRepository(connection),
    retries,
    stops,
    sealer,
    enqueue,
    logger,
    now,
  });
  const router = createRedeliveryRouter({ redeliveries: service, retries, view, baseUrl });
  return {
    service,
    skipped: createSkippedService({
      skipped: deliveries.skipped,
      deliveries: store,
      stops,
      sealer,
      logger,
      now,
    }),
    sdl: redeliveryTypeDefs,
    resolvers: createRedeliveryResolvers({ redeliveries: service, retries, nodeIdDomain }),
    routes: [{ path: '/v1/webhook_deliveries', access: 'caller', router }],
  };
}

import { createRests } from '@itsm/shared/base/concurrency/rests';
import { deliveryRequested } from '@itsm/shared/contracts/deliveries';
import type { RecordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordChanged } from '@itsm/shared/contracts/records';
import { recordChanged } from '@itsm/shared/contracts/records';
import { queues } from '@itsm/shared/contracts/topology';
import { on } from '@itsm/shared/messages/broker/broker';
import type { Broker } from '@itsm/shared/messages/broker/broker';
import type { MessagingPlatform, Module } from '@itsm/shared/running/module';
import type { Directory } from '../directory/module';
import { signingOf } from '../policies/webhook-signing';
import type { Addresses } from '../webhooks/addresses';
import type { Webhooks } from '../webhooks/module';
import { createAccountPace } from './account-pace';
import type { DeliveryRequester } from './delivery.message';
import { createDeliveryResolvers, deliveryTypeDefs } from './delivery.resolvers';
import { createDeliveryRouter } from './delivery.routes';
import { describeEvents } from './event-description';
import type { EventDescriber } from './event-description';
import { createEventRouter } from './event.routes';
import { createEventLog } from './event-log.repository';
import type { EventLog } from './event-log.repository';
import { createFanOut } from './fan-out.service';
import { createSkippedRepository } from './skipped.repository';
import type { SkippedRepository } from './skipped.repository';
import { createSkippedService } from './skipped.service';
import { createTestSender } from './test-delivery.service';
import { createWaitingEventRepository } from './waiting-event.repository';
import { createWaitingEvents } from './waiting-events';

export { createDeliveryRequester } from './delivery.message';

/** Prefetch: events handled concurrently. Batches of them share look-ups and writes. */
const eventsAtOnce = 200;
/** How long an event waits to be batched with others. */
const gatherMilliseconds = 28;

interface Needs {
  readonly directory: Directory;
  readonly webhooks: Webhooks;
  readonly requestDelivery: DeliveryRequester;
  readonly broker: Pick<Broker, 'publish'>;
  readonly addresses: Addresses;
  readonly kinds: RecordKinds;
  readonly pace: {
    /** Of an account, in this process. */
    readonly deliveriesPerSecond: number;
    /** How often events that wait for their account are looked at. */
    readonly turnMilliseconds: number;
  };
}

export interface Deliveries extends Module {
  readonly events: EventLog;
  readonly skippedOnes: SkippedRepository;
}

export function createDeliveries(platform: MessagingPlatform, needs: Needs): Deliveries {
  const { connection, logger, now, baseUrl, nodeIdDomain, sealer, presence, nudge } = platform;
  const { directory, webhooks, requestDelivery, broker, addresses, kinds, pace } = needs;
  const events = createEventLog(connection);
  const skippedOnes = createSkippedRepository(connection);
  const skipped = createSkippedService({
    webhooks: webhooks.service,
    store: webhooks.store,
    skipped: skippedOnes,
    targetOf: (webhook) => ({ uri: webhook.uri, ...signingOf(webhook) }),
    sealer,
    nudge,
    logger,
    now,
  });
  const sendTest = createTestSender({
    webhooks: webhooks.service,
    store: webhooks.store,
    requestDelivery,
    addresses,
    kinds,
    findAccount: (accountId) => directory.store.findAccount(accountId),
    nudge,
    now,
  });
  const fanOut = createFanOut({
    webhooks: webhooks.store,
    events,
    skipped: skippedOnes,
    findAccounts: (accountIds) => directory.store.findAccounts(accountIds),
    requestDelivery,
    publish: (request) => broker.publish(deliveryRequested, request, request.deliveryId),
    gatherMilliseconds,
    logger,
    now,
  });
  const waitingOnes = createWaitingEventRepository(connection);
  const waiting = createWaitingEvents({
    store: waitingOnes,
    pace: createAccountPace(pace.deliveriesPerSecond, now),
    fanOut,
    presence,
    rests: createRests(),
    logger,
    now,
    turnMilliseconds: pace.turnMilliseconds,
  });
  const arrive = (change: RecordChanged) => waiting.arrive(change);
  const describe: EventDescriber = async (id, person) => {
    const known = await directory.store.findAccount(id);
    return describeEvents(known ?? { id, name: id, customUrl: null }, person, addresses, kinds);
  };
  const api = { webhooks: webhooks.service, events, skipped, sendTest, describe, addresses, baseUrl, nodeIdDomain };
  return {
    events,
    skippedOnes,
    sdl: deliveryTypeDefs,
    resolvers: createDeliveryResolvers(api),
    routes: [
      { path: '/v1/webhooks', access: 'caller', router: createDeliveryRouter(api) },
      { path: '/v1/webhook_events', access: 'caller', router: createEventRouter(api) },
    ],
    // Idempotent by event and webhook: a repeat requests the same deliveries under the same ids.
    consumers: [{ queue: queues.fanOut, handlers: [on(recordChanged, arrive)], options: { prefetch: eventsAtOnce } }],
    stores: [events, skippedOnes, waitingOnes],
    runners: [waiting],
  };
}

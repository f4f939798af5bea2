import { parse } from 'graphql';
import type { Connection } from 'mongoose';
import { Registry } from 'prom-client';
import type { App } from '@itsm/shared/running/app';
import type { Broker } from '@itsm/shared/messages/broker/broker';
import { attemptFinished } from '@itsm/shared/contracts/deliveries';
import { queues } from '@itsm/shared/contracts/topology';
import { sharedResolvers, sharedTypeDefs } from '@itsm/shared/api/graphql/schema';
import { createSubgraph } from '@itsm/shared/api/graphql/subgraph';
import { createHttp } from '@itsm/shared/api/http/create-http';
import { authenticate } from '@itsm/shared/api/identity/authenticate';
import { createCallerVerifier } from '@itsm/shared/api/identity/caller-token';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { createOutbound } from '@itsm/shared/outbound/calls/outbound';
import type { Outbound } from '@itsm/shared/outbound/calls/outbound';
import { ensureOutboxIndexes } from '@itsm/shared/messages/outbox/outbox-store';
import { createRelay } from '@itsm/shared/messages/outbox/relay';
import { createSealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Config } from './config';
import { deliveryHandlers } from './attempts/delivery.consumer';
import { deliveriesCollection } from './deliveries/delivery-document';
import { createDeliveryRepository } from './deliveries/delivery.repository';
import type { DeliveryRepository } from './deliveries/delivery.repository';
import { createStopRepository } from './deliveries/stop.repository';
import { createDeliveryResolvers } from './deliveries/delivery.resolvers';
import { createDeliveryRouter, createWebhookDeliveryRouter } from './deliveries/delivery.routes';
import { deliveryTypeDefs } from './deliveries/delivery.sdl';
import { createRequestLog } from './deliveries/request-log';
import type { RequestLog } from './deliveries/request-log';
import { createEngine } from './attempts/engine';
import { createRedeliveryRepository } from './deliveries/redelivery.repository';
import { createRedeliveryResolvers } from './redeliveries/redelivery.resolvers';
import { createRedeliveryRouter } from './redeliveries/redelivery.routes';
import { redeliveryTypeDefs } from './redeliveries/redelivery.sdl';
import { createRedeliveryService } from './redeliveries/redelivery.service';
import type { RedeliveryService } from './redeliveries/redelivery.service';
import { createSkippedRepository } from './deliveries/skipped.repository';
import { createOutboundRequests } from './deliveries/sealed-request';
import { createSkippedService } from './redeliveries/skipped.service';
import { createSigner } from './signing/signer';
import { signingPolicyHandlers } from './signing/signing-policy.consumer';
import { createSigningPolicyRepository } from './signing/signing-policy.repository';

export interface Dependencies {
  readonly config: Pick<
    Config,
    'authJwksUrl' | 'baseUrl' | 'nodeIdDomain' | 'deliveryKeys' | 'allowInsecureReceivers' | 'deliveryHeaderAliases'
  >;
  readonly connection: Connection;
  readonly broker: Broker;
  readonly logger: Logger;
  readonly now: Clock;
  /** From 0 to 1, spreads retries. */
  readonly random?: () => number;
  readonly outbound?: Outbound;
  /** How often due deliveries are looked for, default 1 s. */
  readonly sweepMilliseconds?: number;
  /** Where metrics are registered; a registry of its own when absent. */
  readonly registry?: Registry;
  /** Milliseconds of a clock that only moves forward. */
  readonly elapsed?: () => number;
}

/** Messages that may wait for room; beyond that they wait at the broker. */
const messagesAtOnce = 200;

export interface DeliveryOperator {
  readonly deliveries: DeliveryRepository;
  readonly requests: RequestLog;
  readonly redeliveries: RedeliveryService;
}

export interface DeliveryApp extends App {
  /** What this process tells of itself, for Prometheus. */
  readonly metrics: Registry;
  /** For the operator of the installation, who needs no account. */
  readonly operator: DeliveryOperator;
}

export function createApp(dependencies: Dependencies): DeliveryApp {
  const { config, connection, broker, logger, now, random = Math.random, sweepMilliseconds = 1_000 } = dependencies;
  const { baseUrl, nodeIdDomain, allowInsecureReceivers: allowInsecure } = config;
  const outbound = dependencies.outbound ?? createOutbound({ allowInsecure });
  const toOutboundRequest = createOutboundRequests(config);
  const sealer = createSealer(config.deliveryKeys);
  const deliveries = createDeliveryRepository(connection);
  const stops = createStopRepository(connection);
  const policies = createSigningPolicyRepository(connection);
  const skippedOnes = createSkippedRepository(connection);
  const skipped = createSkippedService({ skipped: skippedOnes, deliveries, stops, sealer, logger, now });
  const collections = [deliveriesCollection];
  const relay = createRelay({ connection, collections, contracts: [attemptFinished], broker, logger, now });
  const { deliverer, metrics } = createEngine({
    ...{
      connection,
      broker,
      deliveries,
      stops,
      outbound,
      sealer,
      toOutboundRequest,
      logger,
      now,
      random,
      sweepMilliseconds,
    },
    sign: createSigner({ policies, sealer, now }),
    elapsed: dependencies.elapsed ?? (() => performance.now()),
    onOutbox: () => relay.nudge(),
    registry: dependencies.registry ?? new Registry(),
  });

  const redeliveries = createRedeliveryService({
    ...{ deliveries, stops, sealer, logger, now, redeliveries: createRedeliveryRepository(connection) },
    enqueue: (delivery) => deliverer.enqueue(delivery),
  });
  const verify = createCallerVerifier(config.authJwksUrl);
  const view = { nodeIdDomain, requests: createRequestLog(sealer, toOutboundRequest) };
  const subgraph = createSubgraph({
    typeDefs: parse(sharedTypeDefs + deliveryTypeDefs + redeliveryTypeDefs),
    resolvers: {
      ...sharedResolvers,
      ...createDeliveryResolvers({ deliveries, view }),
      ...createRedeliveryResolvers({ redeliveries, nodeIdDomain }),
    },
    verify,
    logger,
  });
  const prepareStore = async (): Promise<void> => {
    await deliveries.ensureIndexes();
    await stops.ensureIndexes();
    await skippedOnes.ensureIndexes();
    await ensureOutboxIndexes(connection, collections);
  };

  return {
    metrics: metrics.registry,
    operator: { deliveries, requests: view.requests, redeliveries },
    http: createHttp(logger, (http) => {
      http.use('/graphql', subgraph.router);
      const log = { deliveries, view, baseUrl };
      http.use('/v1/webhooks', authenticate(verify), createWebhookDeliveryRouter(log));
      const routers = [createRedeliveryRouter({ redeliveries, view, baseUrl }), createDeliveryRouter(log)];
      http.use('/v1/webhook_deliveries', authenticate(verify), ...routers);
    }),
    prepareStore,
    async start() {
      await prepareStore();
      await subgraph.start();
      await broker.subscribe(queues.signingPolicies, signingPolicyHandlers(policies));
      const handlers = deliveryHandlers({ deliverer, skipped, deliveries, stops });
      await broker.subscribe(queues.deliveries, handlers, { prefetch: messagesAtOnce });
      relay.start();
      deliverer.start();
    },
    async stop() {
      await deliverer.stop();
      await relay.stop();
      await subgraph.stop();
    },
  };
}

import type { Registry } from 'prom-client';
import { createCallerVerifier } from '@itsm/shared/api/identity/caller-token';
import { createSealer } from '@itsm/shared/base/secrets/sealer';
import { attemptFinished } from '@itsm/shared/contracts/deliveries';
import { createRelay } from '@itsm/shared/messages/outbox/relay';
import { composeApp } from '@itsm/shared/running/compose-app';
import type { ComposedApp } from '@itsm/shared/running/compose-app';
import type { MessagingResources } from '@itsm/shared/running/module';
import type { ProcessConfig } from '@itsm/shared/running/run-service';
import { createPresence } from '@itsm/shared/stores/presence/presence';
import { createAttempts } from './attempts/module';
import type { AttemptOptions } from './attempts/module';
import { createDeliveryOperator } from './commands';
import type { DeliveryOperator } from './commands';
import type { Config } from './config';
import { createDeliveries, deliveriesCollection } from './deliveries/module';
import { createRedeliveries } from './redeliveries/module';
import { createSigning } from './signing/module';

interface Dependencies extends MessagingResources, AttemptOptions {
  readonly config: Omit<Config, keyof ProcessConfig | 'mongodbUrl' | 'amqpUrl'>;
}

export interface DeliveryApp extends ComposedApp {
  /** The metrics of this process, for Prometheus. */
  readonly metrics: Registry;
  readonly operator: DeliveryOperator;
}

export function createApp({ config, connection, broker, logger, now, ...options }: Dependencies): DeliveryApp {
  const { baseUrl, nodeIdDomain, allowInsecureReceivers: allowInsecure, deliveryHeaderAliases } = config;
  const collections = [deliveriesCollection];
  const { sweepMilliseconds: intervalMilliseconds, elapsed } = options;
  const presence = createPresence({ connection, logger, intervalMilliseconds, elapsed });
  const relay = createRelay({ connection, collections, contracts: [attemptFinished], broker, presence, logger, now });
  const sealer = createSealer(config.deliveryKeys);
  const nudge = () => relay.nudge();
  const platform = { connection, logger, now, baseUrl, nodeIdDomain, sealer, presence, nudge };
  const deliveries = createDeliveries(platform, { deliveryHeaderAliases });
  const redeliveries = createRedeliveries(platform, {
    deliveries,
    enqueue: (delivery) => attempts.enqueue(delivery),
    wake: (delivery) => attempts.wake(delivery),
  });
  const signing = createSigning(platform);
  const { sign } = signing;
  const attempts = createAttempts(platform, { deliveries, redeliveries, sign, broker, allowInsecure, options });
  const modules = [deliveries, redeliveries, signing, attempts];
  const verify = createCallerVerifier(config.authJwksUrl, 'webhook-delivery', now);
  const app = composeApp({ modules, connection, sealer, verify, logger, now, messages: { broker, relay, presence } });
  return { ...app, metrics: attempts.registry, operator: createDeliveryOperator(deliveries, redeliveries) };
}

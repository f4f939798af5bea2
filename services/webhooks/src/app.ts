import { createCallerVerifier } from '@itsm/shared/api/identity/caller-token';
import { createSealer } from '@itsm/shared/base/secrets/sealer';
import { deliveryRequested, skippedRedelivered, webhookStopped } from '@itsm/shared/contracts/deliveries';
import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordKinds } from '@itsm/shared/contracts/record-kinds';
import { policySaved } from '@itsm/shared/contracts/webhook-policies';
import { createRelay } from '@itsm/shared/messages/outbox/relay';
import { createPost } from '@itsm/shared/outbound/mail/post';
import { composeApp } from '@itsm/shared/running/compose-app';
import type { ComposedApp } from '@itsm/shared/running/compose-app';
import type { MessagingResources } from '@itsm/shared/running/module';
import { createPresence } from '@itsm/shared/stores/presence/presence';
import type { Config } from './config';
import { createDeliveries, createDeliveryRequester } from './deliveries/module';
import { createDirectory } from './directory/module';
import { createHealth } from './health/module';
import { createPolicies, policiesCollection } from './policies/module';
import { createVerificationRequester, createVerifications } from './verifications/module';
import { createAddresses, createWebhooks, webhooksCollection } from './webhooks/module';

interface Dependencies extends MessagingResources {
  readonly config: Config;
  /** Kinds of record that webhooks can be registered for; default: all. */
  readonly kinds?: RecordKinds;
  /** Polling interval for pending mails, default 5 s. */
  readonly noticePollMilliseconds?: number;
  /** Interval of key rotation and clean-up for policies, default a minute. */
  readonly careMilliseconds?: number;
  /** How often events that wait for the pace of their account are looked at, default 100 ms. */
  readonly turnMilliseconds?: number;
}

export function createApp({ config, connection, broker, logger, now, ...options }: Dependencies): ComposedApp {
  const { noticePollMilliseconds: pollMilliseconds = 5_000, careMilliseconds = 60_000, kinds = recordKinds } = options;
  const { turnMilliseconds = 100 } = options;
  const { baseUrl, nodeIdDomain, deliveryKeys: keys, deliveriesPerSecond, smtpUrl, mailFrom } = config;
  const collections = [webhooksCollection, policiesCollection];
  const contracts = [deliveryRequested, webhookStopped, skippedRedelivered, policySaved];
  const presence = createPresence({ connection, logger });
  const relay = createRelay({ connection, collections, contracts, broker, presence, logger, now });
  const addresses = createAddresses(config);
  const sealer = createSealer(keys);
  const nudge = () => relay.nudge();
  const platform = { connection, logger, now, baseUrl, nodeIdDomain, sealer, presence, nudge };
  const post = createPost({ smtpUrl, mailFrom, connection, logger, now });
  const directory = createDirectory(platform);
  const findAccount = (accountId: string) => directory.store.findAccount(accountId);
  const requestDelivery = createDeliveryRequester({ sealer, addresses, findAccount });
  const requestVerification = createVerificationRequester({ requestDelivery, addresses });
  const policies = createPolicies(platform, { addresses, careMilliseconds });
  const webhooks = createWebhooks(platform, { settings: config, addresses, kinds, policies, requestVerification });
  const pace = { deliveriesPerSecond, turnMilliseconds };
  const needs = { directory, webhooks, requestDelivery, broker, addresses, kinds, pace };
  const deliveries = createDeliveries(platform, needs);
  const verifications = createVerifications(platform, { directory, webhooks, requestVerification, addresses });
  const health = createHealth(platform, { directory, webhooks, deliveries, addresses, post, pollMilliseconds });
  const modules = [directory, webhooks, policies, deliveries, verifications, health];
  const verify = createCallerVerifier(config.authJwksUrl, 'webhooks', now);
  return composeApp({ modules, connection, sealer, verify, logger, now, messages: { broker, relay, presence } });
}

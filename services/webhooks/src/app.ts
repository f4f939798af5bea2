import type { Connection } from 'mongoose';
import type { App } from '@itsm/shared/running/app';
import type { Broker } from '@itsm/shared/messages/broker/broker';
import { deliveryRequested, skippedRedelivered, webhookStopped } from '@itsm/shared/contracts/deliveries';
import { policySaved } from '@itsm/shared/contracts/webhook-policies';
import { queues } from '@itsm/shared/contracts/topology';
import { createSubgraph } from '@itsm/shared/api/graphql/subgraph';
import { createHttp } from '@itsm/shared/api/http/create-http';
import { authenticate } from '@itsm/shared/api/identity/authenticate';
import { createCallerVerifier } from '@itsm/shared/api/identity/caller-token';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { createPost } from '@itsm/shared/outbound/mail/post';
import { ensureOutboxIndexes } from '@itsm/shared/messages/outbox/outbox-store';
import { createRelay } from '@itsm/shared/messages/outbox/relay';
import { createSealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import { attemptHandlers } from './health/attempt.consumer';
import { createAttemptService } from './health/attempt.service';
import { createFailureStreakRepository } from './webhooks/webhook-streak.repository';
import { createOutcomeRepository } from './health/outcome.repository';
import type { Config } from './config';
import { createAddresses } from './webhooks/addresses';
import { createDeliveryRequester } from './deliveries/delivery.message';
import { directoryHandlers } from './directory/directory.consumer';
import { createDirectoryRepository } from './directory/directory.repository';
import { createEventLog } from './deliveries/event-log.repository';
import { createExplainer } from './health/explanation.service';
import { fanOutHandlers } from './deliveries/fan-out.consumer';
import { createFanOut } from './deliveries/fan-out.service';
import { createNoticeRepository } from './webhooks/webhook-notice.repository';
import { createNotifier } from './health/notifier';
import { createPageLinks } from './verifications/page-link';
import { createPageRouter } from './verifications/page.routes';
import { createSkippedRepository } from './deliveries/skipped.repository';
import { createSkippedService } from './deliveries/skipped.service';
import { createVerificationRequester } from './verifications/verification.message';
import { createVerificationRouter } from './verifications/verification.routes';
import { createVerificationService } from './verifications/verification.service';
import { createDiscoveryRouter } from './policies/discovery.routes';
import { createKeyCaretaker } from './policies/key-caretaker';
import { createKeyGenerator } from './policies/key-generator';
import { createPolicyUse } from './policies/policy-use.repository';
import { createPolicyRepository, policiesCollection } from './policies/policy.repository';
import { createPolicyRouter } from './policies/policy.routes';
import { createPolicyService } from './policies/policy.service';
import { createSigningCheck, signingOf } from './policies/webhook-signing';
import { createResolvers, typeDefs } from './schema';
import { createUriVault } from './webhooks/uri-vault';
import { createWebhookChanger } from './webhooks/change-webhook';
import { webhookInputs } from './webhooks/webhook-input';
import { createWebhookRepository, webhooksCollection } from './webhooks/webhook.repository';
import { createDeliveryHistoryRouter } from './deliveries/delivery-history.routes';
import { createTestDeliveryRouter } from './deliveries/test-delivery.routes';
import { createTestSender } from './deliveries/test-delivery.service';
import { createHealthRouter } from './health/health.routes';
import { createResendRouter } from './verifications/resend.routes';
import { createWebhookRouter } from './webhooks/webhook.routes';
import { createWebhookService } from './webhooks/webhook.service';

export interface Dependencies {
  readonly config: Config;
  readonly connection: Connection;
  readonly broker: Broker;
  readonly logger: Logger;
  readonly now: Clock;
  /** How often waiting mails are looked for, default 5 s. */
  readonly noticePollMilliseconds?: number;
  /** How often keys of policies are cared for, default a minute. */
  readonly careMilliseconds?: number;
}

export function createApp(dependencies: Dependencies): App {
  const { config, connection, broker, logger, now } = dependencies;
  const { noticePollMilliseconds: pollMilliseconds = 5_000, careMilliseconds = 60_000 } = dependencies;
  const { baseUrl, nodeIdDomain, deliveryKeys } = config;
  const addresses = createAddresses(config);
  const directory = createDirectoryRepository(connection);
  const vault = createUriVault(deliveryKeys);
  const webhooks = createWebhookRepository(connection, vault);
  const events = createEventLog(connection);
  const outcomes = createOutcomeRepository(connection);
  const skippedOnes = createSkippedRepository(connection);
  const notices = createNoticeRepository(connection, vault);
  const post = createPost({ ...config, connection, logger, now });
  const notifier = createNotifier({ notices, directory, post, addresses, logger, now, pollMilliseconds });
  const outboxes = [webhooksCollection, policiesCollection];
  const relay = createRelay({
    connection,
    collections: outboxes,
    contracts: [deliveryRequested, webhookStopped, skippedRedelivered, policySaved],
    broker,
    logger,
    now,
  });
  const nudge = () => relay.nudge();

  const sealer = createSealer(deliveryKeys);
  const findAccount = (accountId: string) => directory.findAccount(accountId);
  const requestDelivery = createDeliveryRequester({ sealer, addresses, findAccount });
  const requestVerification = createVerificationRequester({ requestDelivery, addresses });
  const change = createWebhookChanger({ webhooks, nudge, now });
  const policyStore = createPolicyRepository(connection);
  const policies = createPolicyService({
    ...{ policies: policyStore, addresses, nudge, logger, now },
    generateKey: createKeyGenerator(sealer),
    usersOf: createPolicyUse(connection),
  });
  const caretaker = createKeyCaretaker(policies, logger, careMilliseconds);
  const service = createWebhookService({
    webhooks,
    checkSigning: createSigningCheck(policyStore),
    change,
    requestVerification,
    nudge,
    logger,
    now,
  });
  const sendTest = createTestSender({
    webhooks: service,
    store: webhooks,
    requestDelivery,
    addresses,
    findAccount,
    nudge,
    now,
  });
  const links = createPageLinks({ sealer, addresses, now });
  const verifications = createVerificationService({ change, requestVerification, logger, now });
  const takeNotice = createAttemptService({
    streaks: createFailureStreakRepository(connection),
    ...{ outcomes, webhooks: service, now },
    onNotice: () => notifier.nudge(),
  });
  const skipped = createSkippedService({
    ...{ webhooks: service, store: webhooks, skipped: skippedOnes, sealer, nudge, logger, now },
    targetOf: (webhook) => ({ uri: webhook.uri, ...signingOf(webhook) }),
  });
  const explain = createExplainer({ webhooks: service, events, outcomes, skipped: skippedOnes });
  const fanOut = createFanOut({
    ...{ webhooks, events, skipped: skippedOnes },
    findAccounts: (accountIds) => directory.findAccounts(accountIds),
    requestDelivery,
    publish: (request) => broker.publish(deliveryRequested, request, request.deliveryId),
    logger,
    now,
  });

  const inputs = webhookInputs(config.allowInsecureReceivers);
  const verify = createCallerVerifier(config.authJwksUrl);
  const subgraph = createSubgraph({
    typeDefs,
    resolvers: createResolvers({
      ...{
        webhooks: service,
        verifications,
        links,
        policies,
        sendTest,
        skipped,
        explain,
        inputs,
        addresses,
        nodeIdDomain,
      },
    }),
    verify,
    logger,
  });
  const prepareStore = async (): Promise<void> => {
    const stores = [webhooks, policyStore, directory, events, outcomes, skippedOnes, notices, post];
    await Promise.all(stores.map((store) => store.ensureIndexes()));
    await ensureOutboxIndexes(connection, outboxes);
  };

  return {
    http: createHttp(logger, (http) => {
      http.use('/graphql', subgraph.router);
      http.use(createVerificationRouter({ verifications, nodeIdDomain }));
      http.use(
        createPageRouter({
          ...{ webhooks: service, verifications, links, addresses, nodeIdDomain, now },
          mayAdminister: (accountId, personId) => directory.mayAdminister(accountId, personId),
        }),
      );
      http.use(createDiscoveryRouter({ policies: policyStore, addresses, now }));
      http.use(
        '/v1/webhooks',
        authenticate(verify),
        createWebhookRouter({
          webhooks: service,
          inputs,
          addresses,
          policyNames: (accountId) => policyStore.names(accountId),
          baseUrl,
          nodeIdDomain,
        }),
        createTestDeliveryRouter({ sendTest, addresses, nodeIdDomain }),
        createResendRouter({ webhooks: service, verifications, links, addresses, nodeIdDomain }),
        createDeliveryHistoryRouter({ webhooks: service, events, skipped, baseUrl, nodeIdDomain }),
        createHealthRouter({ webhooks: service, explain, post, baseUrl, nodeIdDomain }),
      );
      http.use(
        '/v1/webhook_policies',
        authenticate(verify),
        createPolicyRouter({ policies, addresses, baseUrl, nodeIdDomain }),
      );
    }),
    prepareStore,
    async start() {
      await prepareStore();
      await subgraph.start();
      await broker.subscribe(queues.webhookDirectory, directoryHandlers(directory));
      await broker.subscribe(queues.attemptResults, attemptHandlers(takeNotice));
      await broker.subscribe(queues.fanOut, fanOutHandlers(fanOut));
      relay.start();
      notifier.start();
      caretaker.start();
    },
    async stop() {
      await caretaker.stop();
      await notifier.stop();
      post.close();
      await relay.stop();
      await subgraph.stop();
    },
  };
}

import type { App } from '@itsm/shared/running/app';
import type { Broker } from '@itsm/shared/messages/broker/broker';
import { accountSaved, personSaved } from '@itsm/shared/contracts/directory';
import { recordChanged } from '@itsm/shared/contracts/records';
import type { Coordination } from '@itsm/shared/stores/coordination/coordination';
import { createSubgraph } from '@itsm/shared/api/graphql/subgraph';
import { createHttp } from '@itsm/shared/api/http/create-http';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { createPost } from '@itsm/shared/outbound/mail/post';
import { createSequence } from '@itsm/shared/stores/mongo/sequence';
import { createOutbound } from '@itsm/shared/outbound/calls/outbound';
import type { Lookup } from '@itsm/shared/outbound/calls/lookup';
import { ensureOutboxIndexes } from '@itsm/shared/messages/outbox/outbox-store';
import { createRelay } from '@itsm/shared/messages/outbox/relay';
import { createSealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Connection } from 'mongoose';
import { accountCollection } from './directory/account.repository';
import { createBackfill } from './directory/backfill.service';
import type { Config } from './config';
import { createOperator } from './operator';
import type { Operator } from './operator';
import { createPasswords } from './directory/password';
import type { ScryptCost } from './directory/password';
import { personCollection } from './directory/person.repository';
import { createRepositories, ensureIndexes } from './repositories';
import { mountRoutes } from './routes';
import { createResolvers, typeDefs } from './schema';
import { createServices } from './services';
import type { Services } from './services';
import { createSuccessorSweeper } from './tokens/successor-sweeper';

export interface AuthDependencies {
  readonly config: Config;
  readonly connection: Connection;
  readonly broker: Broker;
  /** Without it the gateway introspects every call, and revocations need no announcement. */
  readonly coordination: Coordination | undefined;
  readonly logger: Logger;
  readonly now: Clock;
  /** Cost of password hashes; the recommended one unless given. */
  readonly passwordCost?: ScryptCost;
  /** How the names of identity providers become addresses; by the name servers unless given. */
  readonly providerLookup?: Lookup;
}

export interface AuthApp extends App {
  readonly operator: Operator;
  readonly services: Services;
}

/** Identity and access: sign-in, authorization, tokens, introspection, and the subgraph of people and accounts. */
export function createApp(dependencies: AuthDependencies): AuthApp {
  const { config, connection, broker, coordination, logger, now, passwordCost, providerLookup } = dependencies;
  const repositories = createRepositories(connection, createSealer(config.sealingKeys));
  const collections = [accountCollection, personCollection];
  const contracts = [accountSaved, personSaved, recordChanged];
  const relay = createRelay({ connection, collections, contracts, broker, logger, now });
  const outbound = createOutbound({
    allowInsecure: config.allowInsecureProviders,
    ...(providerLookup && { lookup: providerLookup }),
  });
  const post = createPost({ ...config, connection, logger, now });
  const graceMilliseconds = config.refreshGraceSeconds * 1000;
  const services = createServices({
    ...{ repositories, coordination, relay, graceMilliseconds, logger, now },
    passwords: createPasswords(passwordCost),
    sequence: createSequence(connection),
    issuer: config.baseUrl,
    nodeIdDomain: config.nodeIdDomain,
    allowInsecureProviders: config.allowInsecureProviders,
    outbound,
    post,
  });
  const subgraph = createSubgraph({
    typeDefs,
    resolvers: createResolvers({ repositories, services, nodeIdDomain: config.nodeIdDomain }),
    verify: services.keys.verify,
    logger,
  });
  const sweeper = createSuccessorSweeper({ ...repositories, graceMilliseconds, logger, now });
  const prepareStore = async (): Promise<void> => {
    await ensureIndexes(connection);
    await post.ensureIndexes();
    await ensureOutboxIndexes(connection, collections);
    await repositories.people.completeSearch();
  };
  return {
    http: createHttp(logger, (http) => {
      mountRoutes(http, { config, repositories, services, subgraph: subgraph.router, logger, now });
    }),
    operator: createOperator({
      ...{ ...repositories, ...services, accounts: repositories.accounts },
      accountService: services.accounts,
      backfill: createBackfill({ ...repositories, broker }),
    }),
    services,
    prepareStore,
    async start() {
      await prepareStore();
      await services.keys.start();
      await subgraph.start();
      relay.start();
      sweeper.start();
      services.alerts.start();
    },
    async stop() {
      outbound.close();
      await services.keys.stop();
      await sweeper.stop();
      await services.alerts.stop();
      await relay.stop();
      await subgraph.stop();
    },
  };
}

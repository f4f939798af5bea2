import type { App } from '@itsm/shared/running/app';
import type { Broker } from '@itsm/shared/messages/broker/broker';
import { recordChanged } from '@itsm/shared/contracts/records';
import { queues } from '@itsm/shared/contracts/topology';
import { sharedResolvers, sharedTypeDefs } from '@itsm/shared/api/graphql/schema';
import { createSubgraph } from '@itsm/shared/api/graphql/subgraph';
import { createHttp } from '@itsm/shared/api/http/create-http';
import { authenticate } from '@itsm/shared/api/identity/authenticate';
import { createCallerVerifier } from '@itsm/shared/api/identity/caller-token';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { ensureOutboxIndexes } from '@itsm/shared/messages/outbox/outbox-store';
import { createRelay } from '@itsm/shared/messages/outbox/relay';
import type { Clock } from '@itsm/shared/base/time/clock';
import { parse } from 'graphql';
import type { Connection } from 'mongoose';
import type { Config } from './config';
import { directoryHandlers } from './directory/directory.consumer';
import { createDirectoryRepository } from './directory/directory.repository';
import { createImports } from './imports/imports';
import { recordTypes } from './record-types/all';
import { createRecords } from './create-records';
import { createSeed } from './seed';
import type { Seed } from './seed';
import { trailLeft } from './store/trail';
import { createTrailKeeper } from './store/trail-keeper';
import { createTrailRepository } from './store/trail.repository';

export interface Dependencies {
  readonly config: Pick<Config, 'authJwksUrl' | 'baseUrl' | 'importMaxBytes' | 'nodeIdDomain'>;
  readonly connection: Connection;
  readonly broker: Broker;
  readonly logger: Logger;
  readonly now: Clock;
}

export interface GraphApp extends App {
  readonly seed: Seed;
}

export function createApp({ config, connection, broker, logger, now }: Dependencies): GraphApp {
  const collections = recordTypes.map(({ plural }) => plural);
  const trails = createTrailRepository(connection);
  const trailKeeper = createTrailKeeper(trails);
  const relay = createRelay({
    connection,
    collections,
    contracts: [recordChanged, trailLeft],
    broker: trailKeeper.between(broker),
    logger,
    now,
  });
  const directory = createDirectoryRepository(connection);
  const records = createRecords({
    ...config,
    types: recordTypes,
    connection,
    directory,
    trails,
    trailKeeper,
    relay,
    now,
  });
  const { importer } = records;
  const imports = createImports({ ...config, types: recordTypes, importer, connection, logger, now });
  const verify = createCallerVerifier(config.authJwksUrl);
  const subgraph = createSubgraph({
    typeDefs: parse(sharedTypeDefs + records.typeDefs),
    resolvers: { ...sharedResolvers, ...records.resolvers },
    verify,
    logger,
  });
  const prepareStore = async (): Promise<void> => {
    await records.prepareStore();
    await imports.ensureIndexes();
    await ensureOutboxIndexes(connection, collections);
  };

  return {
    seed: createSeed(records, directory),
    http: createHttp(logger, (http) => {
      http.use('/graphql', subgraph.router);
      for (const { path, router } of records.routes) http.use(path, authenticate(verify), router);
      http.use('/v1/import', authenticate(verify), imports.router);
    }),
    prepareStore,
    async start() {
      await prepareStore();
      await subgraph.start();
      await broker.subscribe(queues.recordDirectory, directoryHandlers(directory));
      relay.start();
      imports.start();
    },
    async stop() {
      await imports.stop();
      await relay.stop();
      await subgraph.stop();
    },
  };
}

import { createCallerVerifier } from '@itsm/shared/api/identity/caller-token';
import type { LargeQueries } from '@itsm/shared/api/graphql/large-queries';
import { peopleRowsRead } from '@itsm/shared/contracts/imports';
import { recordChanged } from '@itsm/shared/contracts/records';
import type { Relay } from '@itsm/shared/messages/outbox/outbox';
import { createRelay } from '@itsm/shared/messages/outbox/relay';
import { composeApp } from '@itsm/shared/running/compose-app';
import type { ComposedApp } from '@itsm/shared/running/compose-app';
import type { MessagingResources } from '@itsm/shared/running/module';
import { createPresence } from '@itsm/shared/stores/presence/presence';
import type { Config } from './config';
import { createRecords } from './create-records';
import type { RecordSettings, Records } from './create-records';
import { createDirectory } from './directory/module';
import { createExports } from './exports/module';
import type { ExportOptions } from './exports/module';
import { createForms } from './forms/module';
import { createImports, importCollection, letUploadsWait } from './imports/module';
import type { ImportOptions } from './imports/module';
import { happened } from './notices/module';
import { createSeed } from './seed';
import type { Seed } from './seed';
import { trailContracts } from './store/module';

interface Dependencies extends MessagingResources, ImportOptions, ExportOptions {
  readonly config: Pick<Config, 'authJwksUrl' | 'baseUrl' | 'importMaxBytes' | 'nodeIdDomain'> & RecordSettings;
  readonly largeQueries?: LargeQueries;
  /** All declared types by default. */
  readonly types?: Records['types'];
}

export type GraphApp = ComposedApp & { readonly seed: Seed };

export function createApp(dependencies: Dependencies): GraphApp {
  const { config, connection, broker, logger, now, largeQueries, importRests, exportTimer } = dependencies;
  const { baseUrl, nodeIdDomain, importMaxBytes } = config;
  const platform = { connection, logger, now, baseUrl, nodeIdDomain };
  const directory = createDirectory(platform);
  const forms = createForms(platform);
  const nudge = (collection: string) => relay.nudge(collection);
  const presence = createPresence({ connection, logger });
  const records = createRecords(platform, { directory, forms, presence, nudge, config, types: dependencies.types });
  const { types, store, notices, mails, attachments, reading, writing, kept, api } = records;
  const relay: Relay = createRelay({
    connection,
    collections: [...types.map(({ plural }) => plural), importCollection],
    contracts: [recordChanged, happened, peopleRowsRead, ...trailContracts],
    broker: notices.notifier.between(store.trailKeeper.between(broker)),
    presence,
    logger,
    now,
  });
  const imports = createImports(platform, { types, store, writing, presence, nudge, importMaxBytes, importRests });
  const exports = createExports(platform, { types, directory, store, reading, exportTimer });
  const modules = [directory, forms, store, notices, mails, attachments, kept, api, imports, exports];
  const verify = createCallerVerifier(config.authJwksUrl, 'graph', now);
  const messages = { broker, relay, presence };
  const app = composeApp({ modules, connection, verify, logger, now, messages, largeQueries });
  return { ...app, guard: letUploadsWait, seed: createSeed(records, { directory, forms }) };
}

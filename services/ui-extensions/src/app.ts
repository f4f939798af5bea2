import { createCallerVerifier } from '@itsm/shared/api/identity/caller-token';
import { extensionActivated } from '@itsm/shared/contracts/ui-extensions';
import { createRelay } from '@itsm/shared/messages/outbox/relay';
import { composeApp } from '@itsm/shared/running/compose-app';
import type { ComposedApp } from '@itsm/shared/running/compose-app';
import type { MessagingResources } from '@itsm/shared/running/module';
import { createPresence } from '@itsm/shared/stores/presence/presence';
import { createCompiler } from './compiler/module';
import type { CompiledAhead, ContentCompiler } from './compiler/module';
import type { Config } from './config';
import { createExtensions, extensionsCollection } from './extensions/module';
import type { Seed } from './extensions/module';
import { createPreviews } from './previews/module';
import { createVersions } from './versions/module';

interface Dependencies extends MessagingResources {
  readonly config: Config;
  /** The compiler, started and closed with the app; default: a new one. */
  readonly compiler?: ContentCompiler;
  /** Texts that need no compilation, such as those of the demo. */
  readonly compiledAhead?: CompiledAhead;
}

/** The UI extensions service. `seed` creates demo data, for the local mode. */
export interface UiExtensionsApp extends ComposedApp {
  readonly seed: Seed;
}

export function createApp(dependencies: Dependencies): UiExtensionsApp {
  const { config, connection, broker, logger, now, compiler: given, compiledAhead = {} } = dependencies;
  const { baseUrl, nodeIdDomain } = config;
  const platform = { connection, logger, now, baseUrl, nodeIdDomain };
  const presence = createPresence({ connection, logger });
  const collections = [extensionsCollection];
  const contracts = [extensionActivated];
  const relay = createRelay({ connection, collections, contracts, broker, presence, logger, now });
  const compiling = createCompiler(platform, { compiler: given, compiledAhead });
  const extensions = createExtensions(platform, { compiler: compiling.compiler, nudge: () => relay.nudge() });
  const versions = createVersions(platform, { extensions });
  const previews = createPreviews(platform, { extensions });
  const modules = [compiling, extensions, versions, previews];
  const app = composeApp({
    modules,
    connection,
    verify: createCallerVerifier(config.authJwksUrl, 'ui-extensions', now),
    logger,
    now,
    messages: { broker, relay, presence },
  });
  return { ...app, seed: extensions.seed };
}

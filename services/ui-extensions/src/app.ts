import { createCallerVerifier } from '@itsm/shared/api/identity/caller-token';
import { composeApp } from '@itsm/shared/running/compose-app';
import type { ComposedApp } from '@itsm/shared/running/compose-app';
import type { Resources } from '@itsm/shared/running/module';
import { createCompiler } from './compiler/module';
import type { ContentCompiler } from './compiler/module';
import type { Config } from './config';
import { createExtensions } from './extensions/module';
import type { Seed } from './extensions/module';
import { createPreviews } from './previews/module';
import { createVersions } from './versions/module';

interface Dependencies extends Resources {
  readonly config: Config;
  /** The compiler, started and closed with the app; default: a new one. */
  readonly compiler?: ContentCompiler;
}

/** The UI extensions service. `seed` creates demo data, for the local mode. */
export interface UiExtensionsApp extends ComposedApp {
  readonly seed: Seed;
}

export function createApp({ config, connection, logger, now, compiler: given }: Dependencies): UiExtensionsApp {
  const { baseUrl, nodeIdDomain } = config;
  const platform = { connection, logger, now, baseUrl, nodeIdDomain };
  const compiling = createCompiler(platform, { compiler: given });
  const extensions = createExtensions(platform, { compiler: compiling.compiler });
  const versions = createVersions(platform, { extensions });
  const previews = createPreviews(platform, { extensions });
  const modules = [compiling, extensions, versions, previews];
  const app = composeApp({
    modules,
    verify: createCallerVerifier(config.authJwksUrl, 'ui-extensions', now),
    logger,
    now,
  });
  return { ...app, seed: extensions.seed };
}

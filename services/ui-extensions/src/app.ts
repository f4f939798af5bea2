import { Router } from 'express';
import type { Connection } from 'mongoose';
import type { App } from '@itsm/shared/running/app';
import { createSubgraph } from '@itsm/shared/api/graphql/subgraph';
import { sharedResolvers } from '@itsm/shared/api/graphql/schema';
import { createHttp } from '@itsm/shared/api/http/create-http';
import { authenticate } from '@itsm/shared/api/identity/authenticate';
import { createCallerVerifier } from '@itsm/shared/api/identity/caller-token';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { createSequence } from '@itsm/shared/stores/mongo/sequence';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Config } from './config';
import { createAuditLineResolvers } from './versions/audit-line.resolvers';
import { createAuditLineRepository } from './extensions/audit-line.repository';
import { createContentCompiler } from './compiler/content-compiler';
import type { ContentCompiler } from './compiler/content-compiler';
import { createGeneratedTexts } from './extensions/generated-text.repository';
import { createExtensionRepository } from './extensions/extension.repository';
import { createExtensionResolvers } from './extensions/extension.resolvers';
import { createExtensionRoutes } from './extensions/extension.routes';
import { createExtensionService } from './extensions/extension.service';
import { createSeed } from './extensions/seed-extension';
import type { Seed } from './extensions/seed-extension';
import { createPreviewRepository } from './previews/preview.repository';
import { createPreviewPageRoutes, createPreviewRoutes } from './previews/preview.routes';
import { createPreviewService } from './previews/preview.service';
import { typeDefs } from './schema';
import { createTranslationRoutes } from './extensions/translation.routes';
import { createVersionArchive } from './extensions/version.repository';
import { createVersionResolvers } from './versions/version.resolvers';
import { createVersionRoutes } from './versions/version.routes';
import { createVersionService } from './versions/version.service';

interface Dependencies {
  readonly config: Config;
  readonly connection: Connection;
  readonly logger: Logger;
  readonly now: Clock;
  /** Started and closed with the app; one of its own unless given. */
  readonly compiler?: ContentCompiler;
}

/** The UI extensions service; `seed` makes demo data and is for the local mode. */
export interface UiExtensionsApp extends App {
  readonly seed: Seed;
}

export function createApp(dependencies: Dependencies): UiExtensionsApp {
  const { config, connection, logger, now, compiler = createContentCompiler(dependencies.logger) } = dependencies;
  const repository = createExtensionRepository(connection);
  const archive = createVersionArchive(connection);
  const auditLines = createAuditLineRepository(connection);
  const texts = createGeneratedTexts(connection);
  const sequence = createSequence(connection);
  const extensions = createExtensionService({
    ...{ extensions: repository, archive, auditLines, sequence, compiler, texts, now },
  });
  const versions = createVersionService({ extensions: repository, archive, auditLines, texts });
  const previewStore = createPreviewRepository(connection);
  const previews = createPreviewService({ previews: previewStore, extensions, texts, now });
  const services = { addressing: config, extensions, versions, previews };

  const verify = createCallerVerifier(config.authJwksUrl);
  const subgraph = createSubgraph({ typeDefs, resolvers: resolversOf(services), verify, logger });
  const http = createHttp(logger, (app) => {
    app.use('/graphql', subgraph.router);
    const routes = Router().use(authenticate(verify), ...routersOf(services));
    app.use(['/v1/ui_extensions', '/ui_extensions'], routes);
    app.use('/ui_extension_previews', createPreviewPageRoutes(services));
  });
  const prepareStore = async (): Promise<void> => {
    await Promise.all([repository, archive, auditLines, texts, previewStore].map((store) => store.ensureIndexes()));
  };
  return {
    http,
    seed: createSeed(extensions),
    prepareStore,
    async start() {
      compiler.start();
      await prepareStore();
      await subgraph.start();
    },
    async stop() {
      await subgraph.stop();
      await compiler.close();
    },
  };
}

type Services = Parameters<typeof createVersionRoutes>[0] & Parameters<typeof createPreviewRoutes>[0];

const routersOf = (services: Services): Router[] => [
  createPreviewRoutes(services),
  createVersionRoutes(services),
  createTranslationRoutes(services),
  createExtensionRoutes(services),
];

function resolversOf(services: Services) {
  const extensions = createExtensionResolvers(services);
  const versions = createVersionResolvers(services);
  const auditLines = createAuditLineResolvers(services);
  return {
    ...sharedResolvers,
    Query: extensions.Query,
    Mutation: extensions.Mutation,
    ...auditLines,
    UiExtension: { ...extensions.UiExtension, ...versions.UiExtension, ...auditLines.UiExtension },
    UiExtensionVersion: { ...versions.UiExtensionVersion, ...auditLines.UiExtensionVersion },
  };
}

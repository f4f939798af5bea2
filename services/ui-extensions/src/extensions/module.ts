import { describe } from '@itsm/shared/declared/describe';
import type { Edits } from '@itsm/shared/declared/edits';
import type { Module, Platform } from '@itsm/shared/running/module';
import { createSequence } from '@itsm/shared/stores/mongo/sequence';
import { Router } from 'express';
import type { ContentCompiler } from '../compiler/content-compiler';
import { createAuditLineRepository } from './audit-line.repository';
import type { AuditLineRepository } from './audit-line.repository';
import type { Extension } from './extension';
import { createExtensionRepository } from './extension.repository';
import type { ExtensionRepository } from './extension.repository';
import { createExtensionResolvers } from './extension.resolvers';
import { createExtensionRoutes } from './extension.routes';
import { extensionTypeDefs } from './extension.sdl';
import { createExtensionService } from './extension.service';
import type { ExtensionService } from './extension.service';
import { extensionType } from './extension-type';
import { createGeneratedTexts } from './generated-text.repository';
import type { GeneratedTexts } from './generated-text.repository';
import { authorOf, extensionRoutes } from './extension.http';
import { createSeed } from './seed-extension';
import type { Seed } from './seed-extension';
import { createTranslationRoutes } from './translation.routes';
import { createVersionArchive } from './version.repository';
import type { VersionArchive } from './version.repository';

export { extensionsCollection } from './extension.repository';
export type { Seed } from './seed-extension';

interface Needs {
  readonly compiler: ContentCompiler;
  /** Triggers the relay of the outboxes at once. */
  readonly nudge: () => void;
}

export interface Extensions extends Module {
  readonly service: ExtensionService;
  readonly store: ExtensionRepository;
  readonly archive: VersionArchive;
  readonly auditLines: AuditLineRepository;
  readonly texts: GeneratedTexts;
  readonly seed: Seed;
}

export function createExtensions(platform: Platform, { compiler, nudge }: Needs): Extensions {
  const { connection, now } = platform;
  const store = createExtensionRepository(connection);
  const archive = createVersionArchive(connection);
  const auditLines = createAuditLineRepository(connection);
  const texts = createGeneratedTexts(connection);
  const service = createExtensionService({
    extensions: store,
    archive,
    auditLines,
    sequence: createSequence(connection),
    compiler,
    texts,
    now,
    nudge,
  });
  const edits: Edits<typeof extensionType, Extension> = {
    list: ({ accountId }) => service.list(accountId),
    find: ({ accountId }, id) => service.find(accountId, id),
    create: (caller, given) => service.create(caller.accountId, given, authorOf(caller)),
    update: (caller, id, given, check) =>
      service.update(caller.accountId, id, { given, translations: [] }, { author: authorOf(caller), check }),
  };
  const translations = createTranslationRoutes({ addressing: platform, extensions: service });
  return {
    service,
    store,
    archive,
    auditLines,
    texts,
    seed: createSeed(service),
    sdl: extensionTypeDefs,
    resolvers: createExtensionResolvers({ extensions: service, edits, nodeIdDomain: platform.nodeIdDomain }),
    types: [describe(extensionType)],
    routes: extensionRoutes(Router().use(translations, createExtensionRoutes(edits, platform))),
    stores: [store, archive, auditLines, texts, { ensureIndexes: () => store.announceEarlier(now()) }],
  };
}

import { mergeResolvers } from '@itsm/shared/api/graphql/merge-resolvers';
import type { Module, Platform } from '@itsm/shared/running/module';
import { extensionRoutes } from '../extensions/extension.http';
import type { Extensions } from '../extensions/module';
import { createAuditLineResolvers } from './audit-line.resolvers';
import { createVersionResolvers } from './version.resolvers';
import { createVersionRoutes } from './version.routes';
import { versionTypeDefs } from './version.sdl';
import { createVersionService } from './version.service';

interface Needs {
  readonly extensions: Extensions;
}

export function createVersions(platform: Platform, { extensions }: Needs): Module {
  const { store, archive, auditLines, texts } = extensions;
  const versions = createVersionService({ extensions: store, archive, auditLines, texts });
  const api = { addressing: platform, extensions: extensions.service, versions };
  return {
    sdl: versionTypeDefs,
    resolvers: mergeResolvers([createVersionResolvers(api), createAuditLineResolvers(api)]),
    routes: extensionRoutes(createVersionRoutes(api)),
  };
}

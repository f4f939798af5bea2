import type { Module, Platform } from '@itsm/shared/running/module';
import { extensionRoutes } from '../extensions/extension.http';
import type { Extensions } from '../extensions/module';
import { createPreviewRepository } from './preview.repository';
import { createPreviewPageRoutes, createPreviewRoutes } from './preview.routes';
import { createPreviewService } from './preview.service';

interface Needs {
  readonly extensions: Extensions;
}

export function createPreviews(platform: Platform, { extensions }: Needs): Module {
  const { connection, now } = platform;
  const store = createPreviewRepository(connection);
  const { service, texts } = extensions;
  const previews = createPreviewService({ previews: store, extensions: service, texts, now });
  const api = { addressing: platform, previews };
  return {
    routes: [
      ...extensionRoutes(createPreviewRoutes(api)),
      { path: '/ui_extension_previews', access: 'public', router: createPreviewPageRoutes(api) },
    ],
    stores: [store],
  };
}

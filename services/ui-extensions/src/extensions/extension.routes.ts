import type { Router } from 'express';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { declaredRoutes } from '@itsm/shared/declared/declared.routes';
import { declaredResource } from '@itsm/shared/declared/declared.resource';
import type { Edits } from '@itsm/shared/declared/edits';
import { seenBy } from './extension.http';
import type { Addressing } from './extension.http';
import { extensionType } from './extension-type';
import type { Extension } from './extension';
import type { Version } from './version';

interface ExtensionView {
  readonly nodeIdOf: (graphqlName: string, id: number) => string;
  /** Whether the prepared version is shown. */
  readonly prepared: boolean;
}

const presentVersion = (version: Version | null) =>
  version && { id: version.id, name: version.name, version_nr: version.versionNr };

const declared = declaredResource<typeof extensionType, Extension, ExtensionView>(extensionType, {});

/** The REST form of an extension. Contents are those of the active version, so there are none before the first activation. */
export const extensionResource: Resource<Extension, ExtensionView> = {
  ...declared,
  fields: {
    ...declared.fields,
    active_version: ({ active }) => presentVersion(active),
    prepared_version: ({ prepared }, { prepared: isSeen }) => (isSeen ? presentVersion(prepared) : null),
    css: ({ active }) => active?.content.css,
    html: ({ active }) => active?.content.html,
    javascript: ({ active }) => active?.content.javascript,
    form_definition: ({ active }) => active?.content.formDefinition,
    dark_mode_safe: ({ active }) => active?.content.darkModeSafe,
  },
};

// Four texts of 64 KB, of which JSON may escape every byte into six characters.
const bodyLimit = '2mb';

/** Mounted at `/ui_extensions`. */
export function createExtensionRoutes(
  edits: Edits<typeof extensionType, Extension>,
  { baseUrl, nodeIdDomain }: Addressing,
): Router {
  const nodeIdOf = (type: string, id: number): string => toNodeId(nodeIdDomain, type, id);
  const createView = (caller: Caller) => ({ view: { nodeIdOf, ...seenBy(caller) } });
  return declaredRoutes(extensionType, edits, {
    resource: extensionResource,
    createView,
    baseUrl,
    nodeIdDomain,
    bodyLimit,
  });
}

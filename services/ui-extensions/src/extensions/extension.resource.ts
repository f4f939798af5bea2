import { namedFilters, sourcedFields, sourcedFilters } from '@itsm/shared/api/rest/record-fields';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { Version } from './version';
import type { Extension } from './extension';

export interface ExtensionView {
  readonly nodeIdDomain: string;
  /** Whether the prepared version is shown. */
  readonly prepared: boolean;
}

const presentVersion = (version: Version | null) =>
  version && { id: version.id, name: version.name, version_nr: version.versionNr };

/** The REST form of an extension. Contents are those of the active version, so there are none before the first activation. */
export const extensionResource: Resource<Extension, ExtensionView> = {
  fields: {
    id: ({ id }) => id,
    nodeID: ({ id }, { nodeIdDomain }) => toNodeId(nodeIdDomain, 'UiExtension', id),
    name: ({ name }) => name,
    title: ({ title }) => title,
    category: ({ category }) => category,
    description: ({ description }) => description,
    disabled: ({ disabled }) => disabled,
    active_version: ({ active }) => presentVersion(active),
    prepared_version: ({ prepared }, { prepared: isSeen }) => (isSeen ? presentVersion(prepared) : null),
    css: ({ active }) => active?.content.css,
    html: ({ active }) => active?.content.html,
    javascript: ({ active }) => active?.content.javascript,
    form_definition: ({ active }) => active?.content.formDefinition,
    dark_mode_safe: ({ active }) => active?.content.darkModeSafe,
    ...sourcedFields,
  },
  collectionFields: [
    'id',
    'nodeID',
    'name',
    'title',
    'category',
    'disabled',
    'source',
    'sourceID',
    'created_at',
    'updated_at',
  ],
  sortable: { id: 'id', name: 'name', created_at: 'createdAt', updated_at: 'updatedAt' },
  filterable: {
    ...namedFilters,
    title: { property: 'title', type: 'string' },
    category: { property: 'category', type: 'string' },
    disabled: { property: 'disabled', type: 'boolean' },
    ...sourcedFilters,
  },
};

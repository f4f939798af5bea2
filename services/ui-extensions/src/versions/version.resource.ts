import { stampedFilters } from '@itsm/shared/api/rest/record-fields';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { localizedHtml } from '../contents/localized-html';
import type { ReadVersion } from './version.service';
import type { Version } from '../extensions/version';
import type { AuditLine } from '../extensions/audit-line';

/** What presenting a version needs besides the version: its extension, and the caller's languages and time zone. */
export interface VersionView {
  readonly extension: { readonly id: number; readonly name: string };
  /** In order of preference; see `languagesOf`. */
  readonly languages: readonly string[];
  readonly timeZone: string;
}

export const auditPathOf = ({ extensionId, id }: Version): string =>
  `/v1/ui_extensions/${extensionId}/versions/${id}/audit`;

/** spec: UI extension version */
export const versionResource: Resource<ReadVersion, VersionView> = {
  fields: {
    id: ({ id }) => id,
    name: ({ name }) => name,
    version_nr: ({ versionNr }) => versionNr,
    status: ({ status }) => status,
    activated_at: ({ activatedAt }) => presentTime(activatedAt),
    archived_at: ({ archivedAt }) => presentTime(archivedAt),
    created_at: ({ createdAt }) => presentTime(createdAt),
    updated_at: ({ updatedAt }) => presentTime(updatedAt),
    css: ({ content }) => content.css,
    html: ({ content }) => content.html,
    javascript: ({ content }) => content.javascript,
    form_definition: ({ content }) => content.formDefinition,
    form_definition_react: ({ formDefinitionReact }) => formDefinitionReact,
    dark_mode_safe: ({ content }) => content.darkModeSafe,
    use_designer: ({ content }) => content.useDesigner,
    phrases: ({ content }) => content.phrases,
    view_audit_path: auditPathOf,
    compiled_css: ({ compiledCss }) => compiledCss,
    localized_html: ({ content }, { languages }) => localizedHtml(content, languages),
    ui_extension: (_version, { extension }) => ({ id: extension.id, name: extension.name }),
    formatted_activated_at: ({ activatedAt }, { languages, timeZone }) => formatTime(activatedAt, languages, timeZone),
    formatted_archived_at: ({ archivedAt }, { languages, timeZone }) => formatTime(archivedAt, languages, timeZone),
  },
  collectionFields: ['id', 'name', 'version_nr', 'status', 'activated_at', 'archived_at', 'created_at', 'updated_at'],
  singleOnly: ['compiled_css', 'localized_html', 'ui_extension', 'formatted_activated_at', 'formatted_archived_at'],
  sortable: { id: 'id', version_nr: 'versionNr', status: 'status', created_at: 'createdAt', updated_at: 'updatedAt' },
  filterable: {
    id: { property: 'id', type: 'integer' },
    version_nr: { property: 'versionNr', type: 'integer' },
    status: { property: 'status', type: 'string' },
    ...stampedFilters,
    activated_at: { property: 'activatedAt', type: 'time' },
    archived_at: { property: 'archivedAt', type: 'time' },
  },
};

/** Formats a time for `languages`, in order of preference; null becomes an empty text. An unknown time zone becomes UTC. */
export function formatTime(time: Date | null, languages: readonly string[], timeZone: string): string {
  if (!time) return '';
  return formatOf(languages, timeZone).format(time);
}

function formatOf(languages: readonly string[], timeZone: string): Intl.DateTimeFormat {
  const style = { dateStyle: 'medium', timeStyle: 'short' } as const;
  try {
    return new Intl.DateTimeFormat([...languages], { ...style, timeZone });
  } catch {
    return new Intl.DateTimeFormat([...languages], { ...style, timeZone: 'UTC' });
  }
}

interface AuditLineView {
  readonly nodeIdDomain: string;
  readonly readsPeople: boolean;
}

/** The REST form of an audit line. `changes` has values for all fields except the texts, which the versions have. */
export const auditLineResource: Resource<AuditLine, AuditLineView> = {
  fields: {
    id: ({ id }) => id,
    nodeID: ({ id }, { nodeIdDomain }) => toNodeId(nodeIdDomain, 'UiExtensionAuditLine', id),
    action: ({ action }) => action,
    version: ({ version }) => version && { id: version.id, version_nr: version.versionNr },
    changed_fields: ({ changes }) => changes.map(({ field }) => field),
    changes: ({ changes }) => changes,
    created_by: ({ author }, { readsPeople }) => (readsPeople && author ? { id: author.id, name: author.name } : null),
    created_at: ({ createdAt }) => presentTime(createdAt),
  },
  collectionFields: ['id', 'nodeID', 'action', 'version', 'changed_fields', 'changes', 'created_by', 'created_at'],
  sortable: { id: 'id', created_at: 'createdAt' },
  filterable: {
    action: { property: 'action', type: 'string' },
    created_at: { property: 'createdAt', type: 'time' },
  },
};

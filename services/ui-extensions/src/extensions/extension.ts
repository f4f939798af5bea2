import type { AuditLine } from './audit-line';
import { editedContent } from '../contents/content';
import type { Content, Source } from '../contents/content';
import type { TranslationEdit } from '../contents/translation';
import { editedTranslations } from '../contents/translation';
import type { GivenOf, RecordOf } from '@itsm/shared/declared/record-of';
import { changedRecord } from '@itsm/shared/declared/read-input';
import { extensionType } from './extension-type';
import { activated, archived, newVersion } from './version';
import type { Version } from './version';

/** The description of an extension, which unlike its content is not versioned. */
export type Description = RecordOf<typeof extensionType>;

/** What a caller has given for an extension and its content. */
export type ExtensionInput = GivenOf<typeof extensionType>;

/**
 * An extension with its latest versions. `retired` is the version archived last. It stays here until the next
 * activation, so that a change of status is one write of one document.
 */
export interface Extension extends Description {
  readonly id: number;
  readonly accountId: string;
  /** Incremented by every write, for optimistic concurrency. */
  readonly version: number;
  readonly prepared: Version;
  readonly active: Version | null;
  readonly retired: Version | null;
  /** The audit lines of the last write. They stay here until the next one, so that a write and its lines are atomic. */
  readonly auditLines: readonly AuditLine[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface ExtensionEdit {
  readonly description: ExtensionInput;
  readonly source: Partial<Source>;
  readonly translations: readonly TranslationEdit[];
  /** What was compiled from `source`. */
  readonly compiled: Partial<Content>;
}

/** The CSS selector of the extension's container on a page. */
export const scopeOf = (id: number): string => `.ui-extension-${id}`;

/** A new extension with version 1 being prepared. */
export function newExtension(
  ids: { readonly extension: number; readonly version: number },
  accountId: string,
  description: Description,
  content: Content,
  now: Date,
): Extension {
  const first = { id: ids.version, extensionId: ids.extension, name: description.name, versionNr: 1, content };
  return {
    ...description,
    id: ids.extension,
    accountId,
    version: 1,
    prepared: newVersion(first, now),
    active: null,
    retired: null,
    auditLines: [],
    createdAt: now,
    updatedAt: now,
  };
}

/** The extension after an edit; texts go into the prepared version. */
export function edited(extension: Extension, edit: ExtensionEdit, now: Date): Extension {
  const changed = { ...extension, ...changedRecord(extensionType, extension, edit.description), updatedAt: now };
  if (Object.keys(edit.source).length === 0 && edit.translations.length === 0) return changed;
  const written = editedContent(extension.prepared.content, edit.source, edit.compiled);
  const content = { ...written, translations: editedTranslations(written.translations, edit.translations) };
  return { ...changed, prepared: { ...extension.prepared, content, updatedAt: now } };
}

/** The prepared version becomes active, the active one is archived, and the next one is prepared with the same content. */
export function activatedExtension(extension: Extension, versionId: number, now: Date): Extension {
  const { prepared, active } = extension;
  const next = {
    id: versionId,
    extensionId: extension.id,
    name: extension.name,
    versionNr: prepared.versionNr + 1,
    content: prepared.content,
  };
  return {
    ...extension,
    prepared: newVersion(next, now),
    active: activated(prepared, now),
    retired: active && archived(active, now),
    updatedAt: now,
  };
}

/** The versions stored in the extension's document. */
export const versionsWithin = ({ prepared, active, retired }: Extension): Version[] =>
  [retired, active, prepared].filter((version) => version !== null);

/** The texts and flags of the content that were given. */
export const sourceIn = ({ css, html, javascript, formDefinition, darkModeSafe }: ExtensionInput): Partial<Source> => ({
  ...(css !== undefined && { css }),
  ...(html !== undefined && { html }),
  ...(javascript !== undefined && { javascript }),
  ...(formDefinition !== undefined && { formDefinition }),
  ...(typeof darkModeSafe === 'boolean' && { darkModeSafe }),
});

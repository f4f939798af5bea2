import type { AuditLine } from './audit-line';
import { editedContent } from '../contents/content';
import type { Content, Source } from '../contents/content';
import type { TranslationEdit } from '../contents/translation';
import { editedTranslations } from '../contents/translation';
import { activated, archived, newVersion } from './version';
import type { Version } from './version';

/** What an extension says about itself; unlike its contents it has no versions. */
export interface Description {
  readonly name: string;
  readonly title: string | null;
  readonly category: string | null;
  readonly description: string | null;
  readonly disabled: boolean;
  readonly source: string | null;
  readonly sourceID: string | null;
}

/**
 * An extension with the versions that can still change. `retired` is the version archived last: it stays here until the
 * next activation, so that every change of status is one write of one document.
 */
export interface Extension extends Description {
  readonly id: number;
  readonly accountId: string;
  /** Grows with every write; a write of an older state is refused. */
  readonly revision: number;
  readonly prepared: Version;
  readonly active: Version | null;
  readonly retired: Version | null;
  /** What the last write did: it stands here until the next one, so that no write is without its lines. */
  readonly auditLines: readonly AuditLine[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface ExtensionEdit {
  readonly description: Partial<Description>;
  readonly source: Partial<Source>;
  readonly translations: readonly TranslationEdit[];
  /** What the texts in `source` became. */
  readonly compiled: Partial<Content>;
}

/** Selects whatever the page shows of this extension. */
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
    revision: 1,
    prepared: newVersion(first, now),
    active: null,
    retired: null,
    auditLines: [],
    createdAt: now,
    updatedAt: now,
  };
}

/** Texts are edited in the version that is being prepared. */
export function edited(extension: Extension, edit: ExtensionEdit, now: Date): Extension {
  const changed = { ...extension, ...edit.description, updatedAt: now };
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

/** The versions that stand in the extension itself. */
export const versionsWithin = ({ prepared, active, retired }: Extension): Version[] =>
  [retired, active, prepared].filter((version) => version !== null);

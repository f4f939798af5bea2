import { notFound } from '@itsm/shared/base/errors/app-error';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { createArraySource } from '@itsm/shared/api/rest/array-source';
import { compareKeys, keyOf } from '@itsm/shared/api/rest/order';
import type { AuditLine } from '../extensions/audit-line';
import type { AuditLineRepository } from '../extensions/audit-line.repository';
import type { GeneratedTexts } from '../extensions/generated-text.repository';
import type { GeneratedText } from '../contents/content';
import { versionsWithin } from '../extensions/extension';
import type { Extension } from '../extensions/extension';
import type { ExtensionRepository } from '../extensions/extension.repository';
import type { Version } from '../extensions/version';
import type { VersionArchive } from '../extensions/version.repository';

interface Dependencies {
  readonly extensions: ExtensionRepository;
  readonly archive: VersionArchive;
  readonly auditLines: AuditLineRepository;
  readonly texts: GeneratedTexts;
}

/** A version with the texts that were generated for it, as far as they are to be answered. */
export interface ReadVersion extends Version {
  readonly formDefinitionReact?: string;
  readonly compiledCss?: string;
}

/** Whether what is being prepared is seen: by those who work with what belongs to the account. */
export interface Seen {
  readonly prepared: boolean;
}

const isSeen = ({ status }: Version, { prepared }: Seen): boolean => prepared || status !== 'being_prepared';

/** Reads versions wherever they stand: the last ones in their extension, the older ones in the archive. */
export interface VersionService {
  list(accountId: string, extension: Extension, sees: Seen): CollectionSource<Version>;
  /** The same with their React components, where these are answered. */
  listRead(accountId: string, extension: Extension, sees: Seen): CollectionSource<ReadVersion>;
  find(accountId: string, extension: Extension, id: number, sees: Seen): Promise<Version>;
  read(accountId: string, extension: Extension, id: number, sees: Seen): Promise<ReadVersion>;
  loadText(accountId: string, text: GeneratedText): Promise<string>;
  /** What was done to `extension` and its versions, or to one of them only. */
  listAuditLines(accountId: string, extension: Extension, version?: Version): CollectionSource<AuditLine>;
  findAuditLine(accountId: string, id: number): Promise<AuditLine | undefined>;
  /** A version by its id alone. */
  findAnywhere(accountId: string, id: number, sees: Seen): Promise<Version | undefined>;
}

export function createVersionService({ extensions, archive, auditLines, texts }: Dependencies): VersionService {
  function list(accountId: string, extension: Extension, sees: Seen): CollectionSource<Version> {
    const within = versionsWithin(extension);
    const ids = within.map(({ id }) => id);
    const archived = archive.list(accountId, extension.id, ids);
    const shown = within.filter((version) => isSeen(version, sees));
    return mergeSources(shown, {
      ...archived,
      // Numbers have no gaps, so the last one is their count.
      count: (filter = []) =>
        filter.length > 0 ? archived.count(filter) : Promise.resolve(extension.prepared.versionNr - within.length),
    });
  }

  async function find(accountId: string, extension: Extension, id: number, sees: Seen): Promise<Version> {
    const within = versionsWithin(extension).find((version) => version.id === id);
    const version = within ?? (await archive.find(accountId, id));
    if (version?.extensionId !== extension.id || !isSeen(version, sees)) throw notFound();
    return version;
  }

  async function withReact(accountId: string, version: Version): Promise<ReadVersion> {
    return { ...version, formDefinitionReact: await texts.load(accountId, version.content.formDefinitionReact) };
  }

  return {
    list,
    listRead(accountId, extension, sees) {
      const source = list(accountId, extension, sees);
      return {
        ...source,
        async read(query) {
          const found = await source.read(query);
          if (!query.fields.includes('form_definition_react')) return found;
          return Promise.all(found.map((version) => withReact(accountId, version)));
        },
      };
    },
    find,
    async read(accountId, extension, id, sees) {
      const version = await find(accountId, extension, id, sees);
      const compiledCss = await texts.load(accountId, version.content.compiledCss);
      return { ...(await withReact(accountId, version)), compiledCss };
    },
    loadText: (accountId, text) => texts.load(accountId, text),
    listAuditLines(accountId, extension, version) {
      const last = extension.auditLines.filter((line) => version === undefined || line.version?.id === version.id);
      const audited = { extensionId: extension.id, ...(version && { versionId: version.id }) };
      const ids = last.map(({ id }) => id);
      return mergeSources(last, auditLines.list(accountId, audited, ids));
    },
    async findAuditLine(accountId, id) {
      // The extension first: its lines may stand among the others already.
      const extension = await extensions.findByAuditLine(accountId, id);
      return extension?.auditLines.find((line) => line.id === id) ?? auditLines.find(accountId, id);
    },
    async findAnywhere(accountId, id, sees) {
      // The extension first: the version it holds may be archived already.
      const extension = await extensions.findByVersion(accountId, id);
      const version = extension
        ? versionsWithin(extension).find((each) => each.id === id)
        : await archive.find(accountId, id);
      return version && isSeen(version, sees) ? version : undefined;
    },
  };
}

/** One collection out of a few records in memory and many in a store; no record may be in both. */
function mergeSources<T extends object>(few: readonly T[], many: CollectionSource<T>): CollectionSource<T> {
  const inMemory = createArraySource(few);
  return {
    async read(query) {
      // Of the first `skip` records at most `few.length` are in memory, so the others can be skipped in the store.
      const skip = Math.max(0, query.skip - few.length);
      const found = await Promise.all([
        inMemory.read({ ...query, skip: 0, limit: few.length }),
        many.read({ ...query, skip, limit: query.limit + query.skip - skip }),
      ]);
      const { order } = query;
      const merged = found.flat().sort((a, b) => compareKeys(order, keyOf(order, a), keyOf(order, b)));
      const from = query.before ? Math.max(0, merged.length - query.limit) : query.skip - skip;
      return merged.slice(from, from + query.limit);
    },
    count: async (filter) => (await inMemory.count(filter)) + (await many.count(filter)),
  };
}

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

/** A version with those of its generated texts that the answer needs. */
export interface ReadVersion extends Version {
  readonly formDefinitionReact?: string;
  readonly compiledCss?: string;
}

/** Whether the prepared version is visible; it is to people who work with the account's records. */
export interface Seen {
  readonly prepared: boolean;
}

const isSeen = ({ status }: Version, { prepared }: Seen): boolean => prepared || status !== 'being_prepared';

/** Reads versions from both places: the latest from the extension's document, older ones from the archive. */
export interface VersionService {
  list(accountId: string, extension: Extension, sees: Seen): CollectionSource<Version>;
  /** As `list`, with the React components where the answer needs them. */
  listRead(accountId: string, extension: Extension, sees: Seen): CollectionSource<ReadVersion>;
  find(accountId: string, extension: Extension, id: number, sees: Seen): Promise<Version>;
  read(accountId: string, extension: Extension, id: number, sees: Seen): Promise<ReadVersion>;
  loadText(accountId: string, text: GeneratedText): Promise<string>;
  /** The audit lines of `extension` and its versions, or only of one version. */
  listAuditLines(accountId: string, extension: Extension, version?: Version): CollectionSource<AuditLine>;
  findAuditLine(accountId: string, id: number): Promise<AuditLine | undefined>;
  /** Finds a version by its id, without its extension. */
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
      // Version numbers have no gaps, so the highest is the count.
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
      // Read the extension first: its lines may be archived between the reads, and would be missed in the other order.
      const extension = await extensions.findByAuditLine(accountId, id);
      return extension?.auditLines.find((line) => line.id === id) ?? auditLines.find(accountId, id);
    },
    async findAnywhere(accountId, id, sees) {
      // Read the extension first: its version may be archived between the reads, and would be missed in the other order.
      const extension = await extensions.findByVersion(accountId, id);
      const version = extension
        ? versionsWithin(extension).find((each) => each.id === id)
        : await archive.find(accountId, id);
      return version && isSeen(version, sees) ? version : undefined;
    },
  };
}

/** Merges a few records in memory and many in a store into one collection. No record may be in both. */
function mergeSources<T extends object>(few: readonly T[], many: CollectionSource<T>): CollectionSource<T> {
  const inMemory = createArraySource(few);
  return {
    async read(query) {
      // Of the `skip` first records at most `few.length` are in memory, so the store can skip the rest.
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

import { notFound } from '@itsm/shared/errors/app-error';
import type { CollectionSource } from '@itsm/shared/rest/collection-source';
import type { AuditLine } from '../audit-lines/audit-line';
import type { AuditLineRepository } from '../audit-lines/audit-line.repository';
import { versionsWithin } from '../extensions/extension';
import type { Extension } from '../extensions/extension';
import type { ExtensionRepository } from '../extensions/extension.repository';
import { mergeSources } from './merged-source';
import type { Version } from './version';
import type { VersionArchive } from './version.repository';

interface Dependencies {
  readonly extensions: ExtensionRepository;
  readonly archive: VersionArchive;
  readonly auditLines: AuditLineRepository;
}

/** Reads versions wherever they stand: the last ones in their extension, the older ones in the archive. */
export interface VersionService {
  list(accountId: string, extension: Extension): CollectionSource<Version>;
  find(accountId: string, extension: Extension, id: number): Promise<Version>;
  /** What was done to `extension` and its versions, or to one of them only. */
  listAuditLines(accountId: string, extension: Extension, version?: Version): CollectionSource<AuditLine>;
  /** A version by its id alone. */
  findAnywhere(accountId: string, id: number): Promise<Version | undefined>;
}

export function createVersionService({ extensions, archive, auditLines }: Dependencies): VersionService {
  return {
    list(accountId, extension) {
      const within = versionsWithin(extension);
      const ids = within.map(({ id }) => id);
      const archived = archive.list(accountId, extension.id, ids);
      return mergeSources(within, {
        ...archived,
        // Numbers have no gaps, so the last one tells how many there are.
        count: (filter = []) =>
          filter.length > 0 ? archived.count(filter) : Promise.resolve(extension.prepared.versionNr - within.length),
      });
    },
    async find(accountId, extension, id) {
      const within = versionsWithin(extension).find((version) => version.id === id);
      const version = within ?? (await archive.find(accountId, id));
      if (version?.extensionId !== extension.id) throw notFound();
      return version;
    },
    listAuditLines(accountId, extension, version) {
      const last = extension.auditLines.filter((line) => version === undefined || line.version?.id === version.id);
      const audited = { extensionId: extension.id, ...(version && { versionId: version.id }) };
      const ids = last.map(({ id }) => id);
      return mergeSources(last, auditLines.list(accountId, audited, ids));
    },
    async findAnywhere(accountId, id) {
      // The extension first: the version it holds may be archived already.
      const extension = await extensions.findByVersion(accountId, id);
      if (extension) return versionsWithin(extension).find((version) => version.id === id);
      return archive.find(accountId, id);
    },
  };
}

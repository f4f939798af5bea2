import type { Connection } from 'mongoose';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { duplicatesIn } from '@itsm/shared/stores/mongo/bulk-refusals';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { createMongoSource } from '@itsm/shared/api/rest/mongo-source';
import type { AuditLine } from './audit-line';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';

/** The archived audit lines. Those of the last write of an extension are still in the extension's document. */
export interface AuditLineRepository {
  ensureIndexes(): Promise<void>;
  /** Idempotent by id. */
  put(accountId: string, lines: readonly AuditLine[]): Promise<void>;
  find(accountId: string, id: number): Promise<AuditLine | undefined>;
  /** The lines of an extension, or only of one of its versions, without the ids in `except`. */
  list(accountId: string, of: AuditedRecord, except: readonly number[]): CollectionSource<AuditLine>;
}

/** `versionId` undefined: the extension with all its versions. */
export interface AuditedRecord {
  readonly extensionId: number;
  readonly versionId?: number;
}

interface AuditLineDocument extends Omit<AuditLine, 'id'> {
  readonly _id: number;
  readonly accountId: string;
}

export function createAuditLineRepository(connection: Connection): AuditLineRepository {
  const lines = connection.collection<AuditLineDocument>('audit_lines');
  return {
    async ensureIndexes() {
      await ensureIndex(lines, { extensionId: 1, _id: 1 });
      for (const property of ['createdAt', 'action'])
        await ensureIndex(lines, { extensionId: 1, [property]: 1, _id: 1 });
      await ensureIndex(lines, { 'version.id': 1, _id: 1 });
    },
    async put(accountId, written) {
      const documents = written.map(({ id, ...line }) => ({ _id: id, ...line, accountId }));
      if (documents.length === 0) return;
      try {
        await lines.insertMany(documents, { ordered: false, writeConcern: durable });
      } catch (error) {
        duplicatesIn(error);
      }
    },
    async find(accountId, id) {
      const document = await lines.findOne({ _id: id, accountId });
      return document ? toAuditLine(document) : undefined;
    },
    list: (accountId, { extensionId, versionId }, except) =>
      createMongoSource<AuditLineDocument, AuditLine>({
        collection: connection.collection('audit_lines'),
        where: {
          accountId,
          extensionId,
          _id: { $nin: except },
          ...(versionId !== undefined && { 'version.id': versionId }),
        },
        toRecord: toAuditLine,
      }),
  };
}

const toAuditLine = ({ _id, accountId: _accountId, ...line }: AuditLineDocument): AuditLine => ({ id: _id, ...line });

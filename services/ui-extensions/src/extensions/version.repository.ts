import type { Connection } from 'mongoose';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { createMongoSource } from '@itsm/shared/api/rest/mongo-source';
import { emptyContent } from '../contents/content';
import type { Content } from '../contents/content';
import type { Version } from './version';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';

/** Archived versions, which are immutable. All others are in the document of their extension. */
export interface VersionArchive {
  ensureIndexes(): Promise<void>;
  /** Idempotent by id. */
  put(accountId: string, version: Version): Promise<void>;
  find(accountId: string, id: number): Promise<Version | undefined>;
  /** The archived versions of an extension, without the ids in `except`. */
  list(accountId: string, extensionId: number, except: readonly number[]): CollectionSource<Version>;
}

interface VersionDocument extends Omit<Version, 'id' | 'content'> {
  readonly _id: number;
  readonly accountId: string;
  readonly content?: Content;
}

export function createVersionArchive(connection: Connection): VersionArchive {
  const archive = connection.collection<VersionDocument>('archived_versions');
  return {
    async ensureIndexes() {
      await ensureIndex(archive, { extensionId: 1, versionNr: 1 }, { unique: true });
      await ensureIndex(archive, { extensionId: 1, _id: 1 });
      for (const property of ['versionNr', 'status', 'createdAt', 'updatedAt', 'activatedAt', 'archivedAt'])
        await ensureIndex(archive, { extensionId: 1, [property]: 1, _id: 1 });
    },
    async put(accountId, { id, ...version }) {
      // Idempotent: several writers may archive the same retired version, which no longer changes.
      await unlessTaken(archive.insertOne({ _id: id, ...version, accountId }, { writeConcern: durable }));
    },
    async find(accountId, id) {
      const document = await archive.findOne({ _id: id, accountId });
      return document ? toVersion(document) : undefined;
    },
    list: (accountId, extensionId, except) =>
      createMongoSource<VersionDocument, Version>({
        collection: connection.collection('archived_versions'),
        where: { accountId, extensionId, _id: { $nin: except } },
        toRecord: toVersion,
        project: (fields) => (needsContent(fields) ? {} : { content: 0 }),
      }),
  };
}

const facts = ['id', 'name', 'version_nr', 'status', 'activated_at', 'archived_at', 'created_at', 'updated_at'];

/** Whether `fields` include texts, which are most of a version's size. */
const needsContent = (fields: readonly string[]): boolean => fields.some((field) => !facts.includes(field));

const toVersion = ({ _id, content, ...document }: VersionDocument): Version => ({
  id: _id,
  extensionId: document.extensionId,
  name: document.name,
  versionNr: document.versionNr,
  status: document.status,
  activatedAt: document.activatedAt,
  archivedAt: document.archivedAt,
  createdAt: document.createdAt,
  updatedAt: document.updatedAt,
  content: { ...emptyContent, ...content },
});

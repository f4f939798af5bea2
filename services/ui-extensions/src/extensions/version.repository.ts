import type { Connection } from 'mongoose';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { createMongoSource } from '@itsm/shared/api/rest/mongo-source';
import { emptyContent } from '../contents/content';
import type { Content } from '../contents/content';
import type { Version } from './version';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';

/** The archived versions: they never change any more. All others stand in their extension. */
export interface VersionArchive {
  ensureIndexes(): Promise<void>;
  /** Keyed by id: idempotent. */
  put(accountId: string, version: Version): Promise<void>;
  find(accountId: string, id: number): Promise<Version | undefined>;
  /** The archived versions of an extension without those in `except`. */
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
      // Every writer that finds the version retired archives it; it does not change any more.
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

/** Whether answering `fields` takes the texts, which are most of a version. */
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

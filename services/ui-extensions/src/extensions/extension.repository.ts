import type { Connection } from 'mongoose';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { isDuplicateKey, unlessTaken as unlessThere } from '@itsm/shared/stores/mongo/duplicate-key';
import { pushToOutbox, withOutbox } from '@itsm/shared/messages/outbox/outbox';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import { asText } from '@itsm/shared/stores/mongo/partial-index';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { createMongoSource } from '@itsm/shared/api/rest/mongo-source';
import type { AuditLine } from './audit-line';
import { emptyContent } from '../contents/content';
import type { Content } from '../contents/content';
import type { Version } from './version';
import type { Extension } from './extension';
import { activeMessage } from './extension.message';
import { fromStored } from '@itsm/shared/declared/stored';
import { extensionType } from './extension-type';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';

/** `taken`: another extension of the account has the same source and sourceID. */
export type Insertion = 'inserted' | 'taken';
/** `outdated`: the extension was changed since it was read (optimistic concurrency). */
export type Replacement = 'replaced' | 'outdated' | 'taken';

export interface ExtensionRepository {
  ensureIndexes(): Promise<void>;
  /** `message` is published with the write. */
  insert(extension: Extension, message: OutboxEntry | undefined, now: Date): Promise<Insertion>;
  /** Compare-and-set on the version; `message` is published with the write. */
  replace(extension: Extension, message: OutboxEntry | undefined, now: Date): Promise<Replacement>;
  /** Announces, once in the life of a store, what an earlier release has activated without a message. */
  announceEarlier(now: Date): Promise<void>;
  find(accountId: string, id: number): Promise<Extension | undefined>;
  findBySource(accountId: string, source: string, sourceID: string): Promise<Extension | undefined>;
  /** The extension that contains the version, if the version is not archived yet. */
  findByVersion(accountId: string, versionId: number): Promise<Extension | undefined>;
  /** The extension that contains the audit line, if the line is of its last write. */
  findByAuditLine(accountId: string, lineId: number): Promise<Extension | undefined>;
  list(accountId: string): CollectionSource<Extension>;
}

type VersionDocument = Omit<Version, 'content'> & { readonly content?: Content };
interface ExtensionDocument extends Omit<
  Extension,
  'id' | 'version' | 'prepared' | 'active' | 'retired' | 'auditLines'
> {
  readonly _id: number;
  /** The version of the extension's record. */
  readonly revision: number;
  readonly prepared: VersionDocument;
  readonly active: VersionDocument | null;
  readonly retired: VersionDocument | null;
  /** Absent in documents not written since audit lines exist. */
  readonly auditLines?: readonly AuditLine[];
  readonly outbox?: readonly OutboxEntry[];
  readonly outboxAt?: Date;
}

export const extensionsCollection = 'extensions';

/** What messages are made of. */
const announced = {
  accountId: 1,
  name: 1,
  disabled: 1,
  revision: 1,
  'active.id': 1,
  'active.content.formDefinition': 1,
} as const;

/** What the relay owns of a document. */
const withoutOutbox = { outbox: 0, outboxAt: 0, outboxLeaseUntil: 0, outboxOwner: 0 } as const;

/** A full scan, which no index serves. */
export const unbounded = { announceEarlier: 'every extension is looked at, once in the life of a store' };

export function createExtensionRepository(connection: Connection): ExtensionRepository {
  const extensions = connection.collection<ExtensionDocument>(extensionsCollection);
  const upgrades = connection.collection<{ readonly _id: string }>('upgrades');
  const findOne = async (accountId: string, where: Record<string, unknown>): Promise<Extension | undefined> => {
    const document = await extensions.findOne({ ...where, accountId }, { projection: withoutOutbox });
    return document ? toExtension(document) : undefined;
  };
  return {
    async ensureIndexes() {
      await ensureIndex(extensions, { accountId: 1, _id: 1 });
      await ensureIndex(
        extensions,
        { accountId: 1, source: 1, sourceID: 1 },
        { unique: true, partialFilterExpression: { sourceID: { $type: 'string' } } },
      );
      await ensureIndex(extensions, { accountId: 1, 'prepared.id': 1 });
      await ensureIndex(extensions, { accountId: 1, 'active.id': 1 });
      await ensureIndex(extensions, { accountId: 1, 'retired.id': 1 });
      await ensureIndex(extensions, { accountId: 1, 'auditLines.id': 1 });
    },
    insert: ({ id, version: revision, ...extension }, message, now) =>
      unlessTaken<Insertion>(async () => {
        const document = { ...extension, _id: id, revision, ...withOutbox(message ? [message] : [], now) };
        await extensions.insertOne(document, { writeConcern: durable });
        return 'inserted';
      }),
    replace: ({ id, version: revision, ...extension }, message, now) =>
      unlessTaken<Replacement>(async () => {
        const written = await extensions.updateOne(
          { _id: id, accountId: extension.accountId, revision },
          { $set: { ...extension, revision: revision + 1 }, ...(message && pushToOutbox([message], now)) },
          { writeConcern: durable },
        );
        return written.matchedCount === 1 ? 'replaced' : 'outdated';
      }),
    async announceEarlier(now) {
      const upgrade = { _id: 'extensions: activations' };
      if (await upgrades.findOne(upgrade)) return;
      for await (const document of extensions.find({ active: { $ne: null } }, { projection: announced })) {
        const { _id, revision, active, ...description } = document;
        const message = activeMessage({ ...description, id: _id, active: active && toVersion(active) }, revision);
        // Another version that became active since was announced by that write.
        const same = { _id, accountId: description.accountId, 'active.id': active?.id };
        if (message) await extensions.updateOne(same, pushToOutbox([message], now), { writeConcern: durable });
      }
      await unlessThere(upgrades.insertOne(upgrade, { writeConcern: durable }));
    },
    find: (accountId, id) => findOne(accountId, { _id: id }),
    findBySource: (accountId, source, sourceID) => findOne(accountId, { source, sourceID: asText(sourceID) }),
    findByVersion: (accountId, versionId) =>
      findOne(accountId, {
        $or: [{ 'prepared.id': versionId }, { 'active.id': versionId }, { 'retired.id': versionId }],
      }),
    findByAuditLine: (accountId, lineId) => findOne(accountId, { 'auditLines.id': lineId }),
    list: (accountId) =>
      createMongoSource<ExtensionDocument, Extension>({
        collection: connection.collection('extensions'),
        where: { accountId },
        toRecord: toExtension,
        project: (fields) =>
          fields.some((field) => texts.includes(field)) ? withoutOutbox : { ...withoutOutbox, ...withoutContents },
      }),
  };
}

const texts = ['css', 'html', 'javascript', 'form_definition', 'dark_mode_safe'];
const withoutContents = { 'prepared.content': 0, 'active.content': 0, 'retired.content': 0 } as const;

async function unlessTaken<T>(write: () => Promise<T>): Promise<T | 'taken'> {
  try {
    return await write();
  } catch (error) {
    if (isDuplicateKey(error)) return 'taken';
    throw error;
  }
}

const toVersion = (document: VersionDocument): Version => ({
  ...document,
  content: { ...emptyContent, ...document.content },
});

const toExtension = (found: ExtensionDocument): Extension => {
  const { _id, revision, prepared, active, retired, auditLines, ...document } = found;
  return {
    ...document,
    ...fromStored(extensionType, document),
    id: _id,
    version: revision,
    prepared: toVersion(prepared),
    active: active && toVersion(active),
    retired: retired && toVersion(retired),
    auditLines: auditLines ?? [],
  };
};

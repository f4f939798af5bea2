import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { duplicatesIn } from '@itsm/shared/stores/mongo/bulk-refusals';
import { createMongoSource } from '@itsm/shared/api/rest/mongo-source';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import type { Connection } from 'mongoose';
import { createAttachmentRepository } from '../attachments/attachment.repository';
import { idsOf } from '../attachments/attachment';
import type { Relation } from './children.repository';
import type { AuditLine, Note, Trail } from './trail';
import { createNoticeRepository } from '../notices/notice.repository';
import { createWatchRepository } from '../notices/watch.repository';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';
import { placesOf } from './record-places';

const trailCollections = { note: 'notes', auditLine: 'audit_lines' } as const;
export type TrailKind = keyof typeof trailCollections;
type Kind = TrailKind;
type Entry = { note: Note; auditLine: AuditLine };
type Stored<K extends Kind> = Omit<Entry[K], 'id'> & { readonly _id: number };

/** What a reader gets of trails. Every read names it, so that none gives internal notes by mistake. */
export interface TrailReach {
  readonly accountId: string;
  /** Whether internal notes are among them. */
  readonly internal: boolean;
}

const whereSeen = ({ accountId, internal }: TrailReach) => ({
  accountId,
  // Notes of earlier releases do not say that they are public.
  ...(!internal && { internal: { $ne: true } }),
});

/** The relation from records of a type to their notes or audit lines. */
export const trailRelation = (
  kind: Kind,
  reach: TrailReach,
  { name, plural }: { readonly name: string; readonly plural: string },
): Relation => ({
  parents: plural,
  children: trailCollections[kind],
  foreign: 'recordId',
  where: { ...whereSeen(reach), recordType: name },
});

/** The record that a trail belongs to. */
export interface TrailOf {
  readonly recordType: string;
  readonly recordId: number;
}

/** Notes and audit lines of all records; they are added, and deleted with their record. */
export interface TrailRepository {
  ensureIndexes(): Promise<void>;
  /** Idempotent by the ids. */
  keep(trails: readonly Trail[]): Promise<void>;
  find<K extends Kind>(kind: K, reach: TrailReach, ids: readonly number[]): Promise<readonly Entry[K][]>;
  source<K extends Kind>(kind: K, reach: TrailReach, of: TrailOf): CollectionSource<Entry[K]>;
  /** Whether trails of a record may wait in its outbox. */
  isWaiting(accountId: string, plural: string, recordId: number): Promise<boolean>;
  /** Deletes the notes, audit lines, notices and watches of records that are deleted, and lets go of the files of the notes. */
  removeOf(accountId: string, recordType: string, recordIds: readonly number[]): Promise<void>;
}

export function createTrailRepository(connection: Connection): TrailRepository {
  const collectionOf = (kind: Kind) => connection.collection<{ _id: number }>(trailCollections[kind]);
  const files = createAttachmentRepository(connection);
  const concerned = [createNoticeRepository(connection), createWatchRepository(connection)];

  async function insert(kind: Kind, entries: readonly (Note | AuditLine)[]): Promise<void> {
    if (entries.length === 0) return;
    const documents = entries.map(({ id, ...rest }) => ({ _id: id, ...withoutEmpty(rest) }));
    try {
      await collectionOf(kind).insertMany(documents, { ordered: false, writeConcern: durable });
    } catch (error) {
      duplicatesIn(error);
    }
  }

  return {
    async ensureIndexes() {
      const key = { accountId: 1, recordType: 1, recordId: 1, _id: 1 } as const;
      for (const kind of ['note', 'auditLine'] as const) await ensureIndex(collectionOf(kind), key, { name: 'record' });
    },
    async keep(trails) {
      await insert(
        'auditLine',
        trails.flatMap(({ auditLine }) => auditLine ?? []),
      );
      await insert(
        'note',
        trails.flatMap(({ note }) => note ?? []),
      );
      for (const { note } of trails)
        if (note && note.attachments.length > 0) await files.keep(note.accountId, idsOf(note.attachments), note.id);
    },
    async find<K extends Kind>(kind: K, reach: TrailReach, ids: readonly number[]) {
      const named = { _id: { $in: [...ids] }, ...whereSeen(reach) } as object;
      const found = await readForCaller(connection, 'light', (options) =>
        collectionOf(kind).find<Stored<K>>(named, options()).toArray(),
      );
      return found.map((document) => toEntry<K>(document));
    },
    async isWaiting(accountId, plural, recordId) {
      const those = { accountId: { $in: placesOf(accountId) }, _id: recordId, outboxAt: { $exists: true } };
      return (await connection.collection<{ _id: number }>(plural).findOne(those, { projection: { _id: 1 } })) !== null;
    },
    async removeOf(accountId, recordType, recordIds) {
      await files.leaveRecords(accountId, recordType, recordIds);
      const those = { accountId, recordType, recordId: { $in: [...recordIds] } } as object;
      for (const each of concerned) await each.removeOf(accountId, recordType, recordIds);
      for (const kind of ['note', 'auditLine'] as const)
        await collectionOf(kind).deleteMany(those, { writeConcern: durable });
    },
    source: <K extends Kind>(kind: K, reach: TrailReach, { recordType, recordId }: TrailOf) =>
      createMongoSource<Stored<K>, Entry[K]>({
        collection: collectionOf(kind) as unknown as Parameters<typeof createMongoSource>[0]['collection'],
        where: { ...whereSeen(reach), recordType, recordId },
        toRecord: toEntry<K>,
      }),
  };
}

/** Most notes have no files and name nobody. */
const withoutEmpty = (entry: object): object =>
  Object.fromEntries(
    Object.entries(entry).filter(([name, value]) => {
      const mayBeAbsent = name === 'attachments' || name === 'mentions';
      return !mayBeAbsent || (value as readonly unknown[]).length > 0;
    }),
  );

/**
 * Removes the difference between stored and domain form: the id is stored as `_id`, and earlier notes were all public,
 * without files, and named nobody.
 */
export const toEntry = <K extends Kind>({ _id, ...rest }: Stored<K>): Entry[K] =>
  ({
    id: _id,
    ...('text' in rest && { internal: false, attachments: [], mentions: [] }),
    ...rest,
  }) as unknown as Entry[K];

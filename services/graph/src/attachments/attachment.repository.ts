import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';
import { mongo } from 'mongoose';
import type { Connection } from 'mongoose';

/** An uploaded file; its object in the storage is named like it. */
export interface StoredFile {
  /** `<account>/<person>/<ticket>`. */
  readonly id: string;
  readonly accountId: string;
  readonly personId: number;
  readonly name: string;
  readonly secret: string;
  /** Bytes; 0 while it is uploaded. */
  readonly size: number;
  readonly contentType: string;
  /** Whether its upload is complete. */
  readonly isStored: boolean;
}

interface FileDocument extends Omit<StoredFile, 'id'> {
  readonly _id: string;
  /** The record that takes it, in a note or in a text of its own. */
  readonly recordType?: string;
  readonly recordId?: number;
  /** The note that has it. */
  readonly noteId?: number;
  /** A text of the record has it. */
  readonly inText?: true;
  /** It is about to be deleted, and nothing takes it any more. */
  readonly isLeaving?: boolean;
  /** When it is looked at; absent while a note or a text has it. */
  readonly dueAt?: Date;
}

/** The record that a file is for, in a note or in a text of its own. */
export interface FiledRecord {
  readonly recordType: string;
  readonly recordId: number;
}

/** A file that was taken for a note or a text which is not stored. */
export interface TakenFile {
  readonly id: string;
  readonly takenBy: FiledRecord;
  readonly dueAt: Date;
}

/** A file that nothing has, or may have lost what had it. */
export interface DueFile extends StoredFile {
  readonly isLeaving: boolean;
  /** The record that took it; a note with it may wait in its outbox, or a text of it may have it. */
  readonly takenBy: FiledRecord | undefined;
}

/** What is known of uploaded files. The bytes are in the storage. */
export interface AttachmentRepository {
  ensureIndexes(): Promise<void>;
  /** False when the ticket was used before. */
  begin(file: StoredFile, dueAt: Date): Promise<boolean>;
  /** Notes the size before the file is counted. */
  measure(file: StoredFile): Promise<void>;
  /** Completes an upload; false when it took so long that the file is about to be deleted. */
  complete(file: StoredFile, dueAt: Date): Promise<boolean>;
  /** The complete files among these that nothing has. */
  findFree(accountId: string, ids: readonly string[]): Promise<readonly StoredFile[]>;
  /** Those among these that were taken for a note or a text which is not known to be stored. */
  findTaken(accountId: string, ids: readonly string[]): Promise<readonly TakenFile[]>;
  find(accountId: string, id: string): Promise<StoredFile | undefined>;
  /** Takes them for a write; false when another one was faster, and then none is taken. */
  take(accountId: string, ids: readonly string[], by: FiledRecord, dueAt: Date): Promise<boolean>;
  giveBack(accountId: string, ids: readonly string[]): Promise<void>;
  /** Gives back a file, unless it was taken again since. */
  release(accountId: string, file: TakenFile): Promise<void>;
  /** The note that took them is stored. */
  keep(accountId: string, ids: readonly string[], noteId: number): Promise<void>;
  /** The text that took them is stored; with a lease, only while it is still theirs. */
  keepInText(accountId: string, ids: readonly string[], lease?: Date): Promise<void>;
  /** A text of the record may lose them: they are looked at then, whatever becomes of the write. */
  watch(accountId: string, ids: readonly string[], by: FiledRecord, dueAt: Date): Promise<void>;
  /** A text of the record has lost them: nothing takes or reads them any more, and they are deleted then. */
  leaveText(accountId: string, ids: readonly string[], by: FiledRecord, dueAt: Date): Promise<void>;
  /** The records are deleted, with their notes and texts. */
  leaveRecords(accountId: string, recordType: string, recordIds: readonly number[]): Promise<void>;
  /** From here on nothing takes the file; false when a write was faster. */
  leave(file: Pick<DueFile, 'accountId' | 'id' | 'takenBy'>): Promise<boolean>;
  /** Leases the file that has been due longest. */
  claimDue(now: Date, until: Date): Promise<DueFile | undefined>;
  forget(accountId: string, id: string): Promise<void>;
}

const safely = { writeConcern: durable };
const staying = { isLeaving: { $exists: false } };
const isFree = { isStored: true, recordId: { $exists: false }, ...staying };
const free = { $unset: { recordType: '', recordId: '' } } as const;
/** Nothing is known to have it. */
const unplaced = { noteId: { $exists: false }, inText: { $exists: false } };

export function createAttachmentRepository(connection: Connection): AttachmentRepository {
  const files = connection.collection<FileDocument>('attachments');
  const of = (accountId: string, ids: readonly string[]) => ({ accountId, _id: { $in: [...ids] } });

  async function giveBack(accountId: string, ids: readonly string[]): Promise<void> {
    await files.updateMany({ ...of(accountId, ids), ...unplaced }, free, safely);
  }

  return {
    async ensureIndexes() {
      await ensureIndex(files, { dueAt: 1 }, { name: 'due', partialFilterExpression: { dueAt: { $type: 'date' } } });
      const noted = { partialFilterExpression: { recordId: { $exists: true } } };
      await ensureIndex(files, { accountId: 1, recordType: 1, recordId: 1 }, { name: 'record', ...noted });
    },
    async begin({ id, ...file }, dueAt) {
      try {
        await files.insertOne({ _id: id, ...file, dueAt }, safely);
        return true;
      } catch (error) {
        if (error instanceof mongo.MongoServerError && error.code === 11_000) return false;
        throw error;
      }
    },
    async measure({ accountId, id, size, contentType }) {
      await files.updateOne({ accountId, _id: id }, { $set: { size, contentType } }, safely);
    },
    async complete({ accountId, id }, dueAt) {
      const open = { accountId, _id: id, isLeaving: { $exists: false } };
      const { matchedCount } = await files.updateOne(open, { $set: { isStored: true, dueAt } }, safely);
      return matchedCount === 1;
    },
    async findFree(accountId, ids) {
      const found = await readForCaller(connection, 'light', (options) =>
        files.find({ ...of(accountId, ids), ...isFree }, options()).toArray(),
      );
      return found.map(toFile);
    },
    async findTaken(accountId, ids) {
      const taken = { ...of(accountId, ids), ...unplaced, ...staying };
      const found = await readForCaller(connection, 'light', (options) => files.find(taken, options()).toArray());
      return found.flatMap(({ _id: id, recordType, recordId, dueAt }) =>
        recordType === undefined || recordId === undefined || !dueAt
          ? []
          : [{ id, takenBy: { recordType, recordId }, dueAt }],
      );
    },
    async find(accountId, id) {
      const found = await files.findOne({ accountId, _id: id, isStored: true, isLeaving: { $exists: false } });
      return found ? toFile(found) : undefined;
    },
    async take(accountId, ids, by, dueAt) {
      const taken: string[] = [];
      for (const id of ids) {
        const one = { accountId, _id: id, ...isFree };
        const { matchedCount } = await files.updateOne(one, { $set: { ...by, dueAt } }, safely);
        if (matchedCount === 1) taken.push(id);
      }
      if (taken.length === ids.length) return true;
      if (taken.length > 0) await giveBack(accountId, taken);
      return false;
    },
    giveBack,
    async release(accountId, { id, takenBy, dueAt }) {
      await files.updateOne({ accountId, _id: id, ...takenBy, ...unplaced, dueAt }, free, safely);
    },
    async keep(accountId, ids, noteId) {
      await files.updateMany(of(accountId, ids), { $set: { noteId }, $unset: { dueAt: '' } }, safely);
    },
    async keepInText(accountId, ids, lease) {
      const those = { ...of(accountId, ids), ...staying, ...(lease && { dueAt: lease }) };
      await files.updateMany(those, { $set: { inText: true }, $unset: { dueAt: '' } }, safely);
    },
    async watch(accountId, ids, by, dueAt) {
      await files.updateMany({ ...of(accountId, ids), ...by, ...staying }, { $set: { dueAt } }, safely);
    },
    async leaveText(accountId, ids, by, dueAt) {
      await files.updateMany({ ...of(accountId, ids), ...by }, { $set: { isLeaving: true, dueAt } }, safely);
    },
    async leaveRecords(accountId, recordType, recordIds) {
      const those = { accountId, recordType, recordId: { $in: [...recordIds] } };
      await files.updateMany(those, { $set: { isLeaving: true, dueAt: new Date(0) } }, safely);
    },
    async leave({ accountId, id, takenBy }) {
      const same = {
        accountId,
        _id: id,
        recordId: takenBy?.recordId ?? { $exists: false },
        noteId: { $exists: false },
      };
      const { matchedCount } = await files.updateOne(same, { $set: { isLeaving: true } }, safely);
      return matchedCount === 1;
    },
    async claimDue(now, until) {
      const found = await files.findOneAndUpdate(
        { dueAt: { $lte: now, $type: 'date' } },
        { $set: { dueAt: until } },
        { sort: { dueAt: 1 }, returnDocument: 'after', ...safely },
      );
      if (!found) return undefined;
      const { isLeaving = false, recordType, recordId } = found;
      const isTaken = recordType !== undefined && recordId !== undefined;
      return { ...toFile(found), isLeaving, takenBy: isTaken ? { recordType, recordId } : undefined };
    },
    async forget(accountId, id) {
      await files.deleteOne({ accountId, _id: id }, safely);
    },
  };
}

const toFile = ({ _id, accountId, personId, name, secret, size, contentType, isStored }: FileDocument): StoredFile => ({
  id: _id,
  accountId,
  personId,
  name,
  secret,
  size,
  contentType,
  isStored,
});

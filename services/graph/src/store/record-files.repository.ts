import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import type { Connection } from 'mongoose';
import type { Attachment } from '../attachments/attachment';
import { placesOf } from './record-places';

/** A file of a text of a record. */
export interface RecordFile extends Attachment {
  /** The field with the text, or with the custom fields. */
  readonly field: string;
}

/** The files of the texts of records. They are in the documents of the records, and read only when they are asked for. */
export interface RecordFilesRepository {
  /** By the ids of records; those without files, and those of other accounts, are not among them. */
  find(accountId: string, plural: string, ids: readonly number[]): Promise<ReadonlyMap<number, readonly RecordFile[]>>;
}

interface FilesDocument {
  readonly _id: number;
  readonly accountId: string;
  readonly files?: readonly RecordFile[];
}

export const createRecordFiles = (connection: Connection): RecordFilesRepository => ({
  async find(accountId, plural, ids) {
    const those = { accountId: { $in: placesOf(accountId) }, _id: { $in: [...ids] } };
    const found = await readForCaller(connection, 'light', (options) =>
      connection
        .collection<FilesDocument>(plural)
        .find(those, { ...options(), projection: { files: 1 } })
        .toArray(),
    );
    return new Map(found.flatMap(({ _id, files = [] }) => (files.length > 0 ? [[_id, files] as const] : [])));
  },
});

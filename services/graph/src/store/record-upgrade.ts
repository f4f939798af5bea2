import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import type { Connection } from 'mongoose';
import type { AuditLine, Note, Trail } from './trail';
import type { TrailRepository } from './trail.repository';
import { toDocument, toRecord } from './record.document';
import type { RecordDocument } from './record.document';
import type { RecordType } from '../record-types/record-type';

type About = 'accountId' | 'recordType' | 'recordId';

/** A stored record of the version that embedded notes and audit lines. */
interface OldDocument extends Omit<RecordDocument, 'owners' | 'words'> {
  readonly notes?: readonly Omit<Note, About>[];
  readonly auditLines?: readonly Omit<AuditLine, About | 'version'>[];
}

const pageSize = 100;

/** Full scans, which no index serves. */
export const unbounded = { call: 'every record is looked at, page by page, once in the life of a store' };

/**
 * Migrates the records of a type: moves notes and audit lines out of them and adds what the indexes need. Idempotent.
 */
export async function upgradeRecords(connection: Connection, type: RecordType, trails: TrailRepository): Promise<void> {
  const upgrades = connection.collection<{ _id: string }>('upgrades');
  const name = `${type.plural}: trails`;
  if (await upgrades.findOne({ _id: name })) return;
  const records = connection.collection<OldDocument>(type.plural);
  const old = { $or: [{ owners: { $exists: false } }, { auditLines: { $exists: true } }] };
  // Page by page, because the store closes a cursor that is idle for ten minutes.
  for (let after = 0; ;) {
    const page = await records
      .find({ ...old, _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(pageSize)
      .toArray();
    for (const document of page) {
      await trails.keep(trailsOf(type, document));
      const { owners, words } = toDocument(type, toRecord(document));
      await records.updateOne(
        { _id: document._id },
        { $set: { owners, words }, $unset: { notes: '', auditLines: '' } },
        { writeConcern: durable },
      );
      after = document._id;
    }
    if (page.length < pageSize) break;
  }
  await unlessTaken(upgrades.insertOne({ _id: name }, { writeConcern: durable }));
}

function trailsOf(type: RecordType, document: OldDocument): Trail[] {
  const { _id: recordId, accountId, version, notes = [], auditLines = [] } = document;
  const about = { accountId, recordType: type.name, recordId };
  return [
    ...notes.map((note) => ({ note: { ...note, ...about }, auditLine: undefined })),
    ...auditLines.map((line, index) => ({
      note: undefined,
      auditLine: { ...line, ...about, version: version - auditLines.length + index + 1 },
    })),
  ];
}

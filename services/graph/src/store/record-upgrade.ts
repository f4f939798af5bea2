import { isDeepStrictEqual } from 'node:util';
import { wordsVersion } from '@itsm/shared/base/texts/words';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import type { Connection } from 'mongoose';
import type { AuditLine, Note, Trail } from './trail';
import type { TrailRepository } from './trail.repository';
import { toDocument, toRecord, wordsIn } from './record.document';
import type { RecordDocument } from './record.document';
import type { RecordType } from '../record-types/record-type';

type About = 'accountId' | 'recordType' | 'recordId';

/** A stored record of the version that embedded notes and audit lines. */
interface OldDocument extends Omit<RecordDocument, 'owners' | 'words'> {
  readonly notes?: readonly Omit<Note, About | 'internal'>[];
  readonly auditLines?: readonly Omit<AuditLine, About | 'version'>[];
}

const pageSize = 100;
const wordsPageSize = 1_000;

/** Full scans, which no index serves. */
export const unbounded = { call: 'every record is looked at, page by page, once in the life of a store' };

/** Migrates the records of a type to the present form, before the service answers. Idempotent, and goes on where it was left. */
export async function upgradeRecords(connection: Connection, type: RecordType, trails: TrailRepository): Promise<void> {
  await moveTrails(connection, type, trails);
  await rewriteWords(connection, type);
}

/** How far the words of a type were written again: up to this id, or all of them (null). */
interface Rewriting {
  readonly _id: string;
  readonly after: number | null;
}

/** Writes the words of all titles again when titles have other words than in an earlier release. */
async function rewriteWords(connection: Connection, type: RecordType): Promise<void> {
  const upgrades = connection.collection<Rewriting>('upgrades');
  const records = connection.collection<RecordDocument>(type.plural);
  const name = `${type.plural}: words ${wordsVersion}`;
  let after = (await upgrades.findOne({ _id: name }))?.after;
  while (after !== null) {
    const page: RecordDocument[] = await records
      .find({ _id: { $gt: after ?? 0 } }, { projection: { words: 1, version: 1, values: 1 } })
      .sort({ _id: 1 })
      .limit(wordsPageSize)
      .toArray();
    const changes = page.flatMap(({ _id, version, words: old, values }) => {
      const words = wordsIn(type, values);
      // A record that changes meanwhile gets its words from that change.
      return isDeepStrictEqual(old, words)
        ? []
        : [{ updateOne: { filter: { _id, version }, update: { $set: { words } } } }];
    });
    if (changes.length > 0) await records.bulkWrite(changes, { ordered: false, writeConcern: durable });
    after = page.length < wordsPageSize ? null : (page.at(-1)?._id ?? null);
    await upgrades.updateOne({ _id: name }, { $set: { after } }, { upsert: true, writeConcern: durable });
  }
}

/** Moves notes and audit lines out of the records and adds what the indexes need. */
async function moveTrails(connection: Connection, type: RecordType, trails: TrailRepository): Promise<void> {
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
    ...notes.map((note) => ({
      note: { ...note, ...about, internal: false, attachments: [], mentions: [] },
      auditLine: undefined,
    })),
    ...auditLines.map((line, index) => ({
      note: undefined,
      auditLine: { ...line, ...about, version: version - auditLines.length + index + 1 },
    })),
  ];
}

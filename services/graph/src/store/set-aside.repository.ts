import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import type { CollectionRead, CollectionSource } from '@itsm/shared/api/rest/collection-source';
import type { Connection } from 'mongoose';
import type { SetAside } from '../record-types/life-cycle';
import type { ItsmRecord } from '../record-types/record';
import type { RecordType } from '../record-types/record-type';
import { toRecord } from './record.document';
import type { RecordDocument } from './record.document';
import { entryKey } from './record-indexes';
import { accountOfPlace, placeOf } from './record-places';
import type { TrailRepository } from './trail.repository';

/** A record in the archive or in the trash. */
export interface AsideEntry {
  readonly id: number;
  readonly type: RecordType;
  readonly record: ItsmRecord;
  readonly aside: SetAside;
}

/** The records of all types that are archived or in the trash. */
export interface SetAsideRepository {
  /** The entries of some types, by their numbers; the order is that of `id` alone. */
  source(accountId: string, state: 'archived' | 'trashed', types: readonly RecordType[]): CollectionSource<AsideEntry>;
  /** Deletes some records of a type that have been in the trash since then, with all that belongs to them. */
  removeSome(type: RecordType, since: Date): Promise<number>;
}

/** Records that are deleted at once; each may have many notes. */
const removedAtOnce = 100;

export function createSetAsideRepository(connection: Connection, trails: TrailRepository): SetAsideRepository {
  const recordsOf = ({ plural }: RecordType) => connection.collection<RecordDocument>(plural);
  const safely = { writeConcern: durable };

  return {
    source(accountId, state, types) {
      const place = { accountId: placeOf(accountId, state), 'aside.state': state };
      const toEntry = (type: RecordType, document: RecordDocument): AsideEntry[] => {
        const record = toRecord(document);
        return record.aside ? [{ id: record.aside.entry, type, record, aside: record.aside }] : [];
      };
      const read = async ({ order: [first], limit, skip, after, before }: CollectionRead) => {
        const isDescending = (first?.descending ?? false) !== (before !== undefined);
        const [key] = before ?? after ?? [];
        const entry = key === undefined ? { $gt: 0 } : { [isDescending ? '$lt' : '$gt']: key };
        const direction = isDescending ? -1 : 1;
        const found: AsideEntry[] = [];
        await readForCaller(connection, 'light', async (options) => {
          for (const type of types) {
            const rows = recordsOf(type)
              .find({ ...place, 'aside.entry': entry }, { ...options(), hint: entryKey, projection: withoutOutbox })
              .sort({ 'aside.entry': direction })
              .limit(skip + limit);
            found.push(...(await rows.toArray()).flatMap((row) => toEntry(type, row)));
          }
        });
        const wanted = found.sort((a, b) => direction * (a.id - b.id)).slice(skip, skip + limit);
        return before === undefined ? wanted : wanted.reverse();
      };
      return {
        read,
        count: () =>
          readForCaller(connection, 'heavy', async (options) => {
            let sum = 0;
            for (const type of types)
              sum += await recordsOf(type).countDocuments(
                { ...place, 'aside.entry': { $gt: 0 } },
                { ...options(), hint: entryKey },
              );
            return sum;
          }),
      };
    },
    async removeSome(type, since) {
      const records = recordsOf(type);
      // A record whose counts or messages wait has its turn later.
      const settled = { uncounted: { $exists: false }, outboxAt: { $exists: false } };
      const old = { 'aside.at': { $lte: since }, ...settled };
      const found = await records
        .find({ 'aside.state': { $in: ['erased', 'trashed'] }, ...old }, { projection: { accountId: 1 } })
        .limit(removedAtOnce)
        .toArray();
      const places = [...new Set(found.map(({ accountId }) => accountId))];
      const those = { _id: { $in: found.map(({ _id }) => _id) }, accountId: { $in: places } };
      // From here on nobody restores them, and a process that ends here leaves them to the next one.
      const erased = { $set: { 'aside.state': 'erased' as const }, $inc: { version: 1 } };
      await records.updateMany({ ...those, 'aside.state': 'trashed', ...old }, erased, safely);
      const gone = await records
        .find({ ...those, 'aside.state': 'erased' }, { projection: { accountId: 1 } })
        .toArray();
      for (const place of places) {
        const ids = gone.filter(({ accountId }) => accountId === place).map(({ _id }) => _id);
        if (ids.length === 0) continue;
        await trails.removeOf(accountOfPlace(place), type.name, ids);
        // Another process may have marked more of them since, whose notes are there.
        await records.deleteMany({ accountId: place, _id: { $in: ids }, 'aside.state': 'erased' }, safely);
      }
      return gone.length;
    },
  };
}

const withoutOutbox = { outbox: 0, words: 0, owners: 0, files: 0, counted: 0 } as const;

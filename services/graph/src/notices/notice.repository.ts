import type { ConnectionSource, Slice } from '@itsm/shared/api/graphql/connections';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import { ensureIndexes } from '@itsm/shared/stores/mongo/ensure-index';
import type { Connection } from 'mongoose';
import { noticeKinds } from './concerned';
import type { NoticeKind } from './concerned';
import type { RecordOf } from './watch.repository';

/** What concerns one person of one record, for one reason; what happens before they read it is counted. */
export interface Notice extends RecordOf {
  /** Drawn again whenever it happens again, so that notices are in the order of what happened last. */
  readonly id: number;
  readonly personId: number;
  readonly kind: NoticeKind;
  /** How often it happened since the person read it. */
  readonly count: number;
  readonly at: Date;
  /** Who did it last; null for the platform itself. */
  readonly by: { readonly id: number; readonly name: string } | null;
  readonly unread: boolean;
}

type Notified = Omit<Notice, 'count' | 'unread'>;

interface NoticeDocument extends Omit<Notice, 'id'> {
  readonly _id: string;
  readonly number: number;
  /** What was counted last, so that nothing counts twice. */
  readonly happenings: readonly string[];
}

/** Whose notices, in which account. */
export interface Reader {
  readonly accountId: string;
  readonly personId: number;
}

export interface Selected {
  readonly unread?: boolean;
}

export interface NoticeRepository {
  ensureIndexes(): Promise<void>;
  /** Idempotent by the id of what happened. */
  notify(notified: Notified, happening: string): Promise<void>;
  source(reader: Reader, selected: Selected): ConnectionSource<Notice>;
  /** Marks as read what has not happened again since; all up to this one, these, or those of a record. */
  read(
    reader: Reader,
    which: { until: number } | { ids: readonly number[] } | Omit<RecordOf, 'accountId'>,
  ): Promise<void>;
  /** The records are deleted. */
  removeOf(accountId: string, recordType: string, recordIds: readonly number[]): Promise<void>;
}

/** More than a process that ends in the middle can repeat. */
const rememberedHappenings = 20;
/** After these the store deletes them (TTL index). */
export const noticeDays = 90;

const safely = { writeConcern: durable };
const kinds = Object.keys(noticeKinds) as readonly NoticeKind[];
const idOf = ({ accountId, recordType, recordId, personId }: RecordOf & Reader, kind: NoticeKind): string =>
  `${accountId}/${recordType}/${recordId}/${personId}/${kind}`;

export function createNoticeRepository(connection: Connection): NoticeRepository {
  const notices = connection.collection<NoticeDocument>('notices');

  /** Counts another happening; false when there is no such notice, or when it knows of this one. */
  async function again({ id: number, kind, at, by, ...of }: Notified, happening: string, unread: boolean) {
    const that = { accountId: of.accountId, _id: idOf(of, kind), unread, happenings: { $ne: happening } };
    const counted = unread ? { $inc: { count: 1 } } : {};
    const remembered = { happenings: { $each: [happening], $slice: -rememberedHappenings } };
    const set = { number, at, by, ...(!unread && { unread: true, count: 1 }) };
    const { matchedCount } = await notices.updateOne(that, { $set: set, ...counted, $push: remembered }, safely);
    return matchedCount > 0;
  }

  const first = ({ id: number, ...notified }: Notified, happening: string) =>
    unlessTaken(
      notices.insertOne(
        { _id: idOf(notified, notified.kind), number, ...notified, count: 1, unread: true, happenings: [happening] },
        safely,
      ),
    );

  return {
    ensureIndexes: () =>
      ensureIndexes(notices, [
        { key: { accountId: 1, personId: 1, number: 1 }, name: 'person' },
        { key: { accountId: 1, personId: 1, unread: 1, number: 1 }, name: 'person_unread' },
        { key: { accountId: 1, recordType: 1, recordId: 1 }, name: 'record' },
        { key: { at: 1 }, name: 'expiry', expireAfterSeconds: noticeDays * 24 * 60 * 60 },
      ]),
    async notify(notified, happening) {
      const { accountId } = notified;
      const known = { accountId, _id: idOf(notified, notified.kind), happenings: happening };
      // Each step fails only by what somebody else did meanwhile, and then another one succeeds.
      for (;;) {
        if ((await again(notified, happening, true)) || (await again(notified, happening, false))) return;
        if ((await first(notified, happening)) || (await notices.findOne(known, { projection: { _id: 1 } }))) return;
      }
    },
    source(reader, { unread }) {
      const where = { ...whereOf(reader), ...(unread !== undefined && { unread }) };
      return {
        async read({ after, before, limit, from }: Slice) {
          const range = { ...(after !== undefined && { $gt: after }), ...(before !== undefined && { $lt: before }) };
          const wanted = { ...where, ...(Object.keys(range).length > 0 && { number: range }) };
          const found = await readForCaller(connection, 'light', (options) =>
            notices
              .find(wanted, { ...options(), projection: { happenings: 0 } })
              .sort({ number: from === 'start' ? 1 : -1 })
              .limit(limit)
              .toArray(),
          );
          return (from === 'start' ? found : found.reverse()).map(toNotice);
        },
        count: () => readForCaller(connection, 'heavy', (options) => notices.countDocuments(where, options())),
      };
    },
    async read(reader, which) {
      const of = whereOf(reader);
      const those =
        'until' in which
          ? { number: { $lte: which.until } }
          : 'ids' in which
            ? { number: { $in: [...which.ids] } }
            : { _id: { $in: kinds.map((kind) => idOf({ ...of, ...which }, kind)) } };
      await notices.updateMany({ ...of, unread: true, ...those }, { $set: { unread: false } }, safely);
    },
    async removeOf(accountId, recordType, recordIds) {
      await notices.deleteMany({ accountId, recordType, recordId: { $in: [...recordIds] } }, safely);
    },
  };
}

const whereOf = ({ accountId, personId }: Reader) => ({ accountId, personId });

const toNotice = ({ _id, number: id, ...rest }: NoticeDocument): Notice => ({ id, ...rest });

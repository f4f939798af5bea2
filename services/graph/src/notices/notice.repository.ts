import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { createMongoSource } from '@itsm/shared/api/rest/mongo-source';
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

type Notified = Omit<Notice, 'count' | 'unread'> & {
  /** Whether it is in the list and at the bell. */
  readonly isShown: boolean;
  /** When a mail about it is due; undefined for none. */
  readonly mailAt: Date | undefined;
};

/** A notice that a mail tells about while it is unread. */
export type MailedNotice = Notice & { readonly mailAt: Date };

interface NoticeDocument extends Omit<Notice, 'id'> {
  readonly _id: string;
  readonly number: number;
  readonly isShown: boolean;
  /** Of the first that no mail has told about. */
  readonly mailAt?: Date;
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
  /** In the order of their numbers. */
  source(reader: Reader, selected: Selected): CollectionSource<Notice>;
  /** Marks as read what has not happened again since; all up to this one, these, or those of a record. */
  read(
    reader: Reader,
    which: { until: number } | { ids: readonly number[] } | Omit<RecordOf, 'accountId'>,
  ): Promise<void>;
  /** Notices of a person that a mail is due about, the longest due first; bounded. */
  dueMails(reader: Reader, now: Date): Promise<readonly MailedNotice[]>;
  /** When the next mail to the person is due. */
  nextMailAt(reader: Reader): Promise<Date | undefined>;
  /** A mail has told about them, or none is to; what has happened again since is due at the time. */
  mailed(notices: readonly MailedNotice[], dueAgainAt: Date): Promise<void>;
  /** The records are deleted. */
  removeOf(accountId: string, recordType: string, recordIds: readonly number[]): Promise<void>;
}

/** Notices that one look for due mails reads. */
const mostDue = 500;
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
  async function again(
    { id: number, kind, at, by, isShown, mailAt, ...of }: Notified,
    happening: string,
    unread: boolean,
  ) {
    const that = { accountId: of.accountId, _id: idOf(of, kind), unread, happenings: { $ne: happening } };
    const counted = unread ? { $inc: { count: 1 }, ...(mailAt && { $min: { mailAt } }) } : {};
    const remembered = { happenings: { $each: [happening], $slice: -rememberedHappenings } };
    const fresh = { unread: true, count: 1, ...(mailAt && { mailAt }) };
    const set = { number, at, by, isShown, ...(!unread && fresh) };
    // What was read before its mail was due has none.
    const left = !unread && !mailAt ? { $unset: { mailAt: '' as const } } : {};
    const update = { $set: set, ...counted, ...left, $push: remembered };
    const { matchedCount } = await notices.updateOne(that, update, safely);
    return matchedCount > 0;
  }

  function first({ id: number, mailAt, ...notified }: Notified, happening: string): Promise<boolean> {
    const of = { _id: idOf(notified, notified.kind), number, ...notified, ...(mailAt && { mailAt }) };
    return unlessTaken(notices.insertOne({ ...of, count: 1, unread: true, happenings: [happening] }, safely));
  }

  const waiting = ({ accountId, personId }: Reader, when: object) => ({
    accountId,
    personId,
    unread: true,
    mailAt: when,
  });

  return {
    ensureIndexes: () =>
      ensureIndexes(notices, [
        { key: { accountId: 1, personId: 1, number: 1 }, name: 'person' },
        { key: { accountId: 1, personId: 1, unread: 1, number: 1 }, name: 'person_unread' },
        {
          key: { accountId: 1, personId: 1, mailAt: 1 },
          name: 'mail',
          partialFilterExpression: { mailAt: { $exists: true } },
        },
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
      return createMongoSource<NoticeDocument, Notice>({
        collection: connection.collection('notices'),
        where: { ...whereOf(reader), isShown: { $ne: false }, ...(unread !== undefined && { unread }) },
        toRecord: toNotice,
        project: () => ({ happenings: 0 }),
        idName: 'number',
      });
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
    async dueMails(reader, now) {
      const found = await notices
        .find(waiting(reader, { $lte: now }), { projection: { happenings: 0 } })
        .sort({ mailAt: 1 })
        .limit(mostDue)
        .toArray();
      return found.map((document) => ({ ...toNotice(document), mailAt: document.mailAt ?? now }));
    },
    async nextMailAt(reader) {
      const [next] = await notices
        .find(waiting(reader, { $exists: true }), { projection: { mailAt: 1 } })
        .sort({ mailAt: 1 })
        .limit(1)
        .toArray();
      return next?.mailAt;
    },
    async mailed(told, dueAgainAt) {
      for (const notice of told) {
        const that = { accountId: notice.accountId, _id: idOf(notice, notice.kind) };
        const isSame = await notices.updateOne({ ...that, number: notice.id }, { $unset: { mailAt: '' } }, safely);
        const isLater = { ...that, mailAt: { $exists: true } };
        if (isSame.matchedCount === 0) await notices.updateOne(isLater, { $set: { mailAt: dueAgainAt } }, safely);
      }
    },
    async removeOf(accountId, recordType, recordIds) {
      await notices.deleteMany({ accountId, recordType, recordId: { $in: [...recordIds] } }, safely);
    },
  };
}

const whereOf = ({ accountId, personId }: Reader) => ({ accountId, personId });

const toNotice = ({ _id, number: id, isShown: _shown, mailAt: _mail, ...rest }: NoticeDocument): Notice => ({
  id,
  ...rest,
});

import type { Connection } from 'mongoose';
import type { RecordChanged } from '@itsm/shared/contracts/records';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';
import { createGroupInsert } from '@itsm/shared/stores/mongo/group-insert';
import type { Gone, Lease } from '@itsm/shared/stores/presence/presence';

/** An event whose deliveries for one account are not requested yet. */
export interface WaitingEvent {
  readonly id: string;
  readonly accountId: string;
  readonly change: RecordChanged;
  /** When it arrived, or is tried again. */
  readonly dueAt: Date;
}

export interface WaitingEventRepository {
  ensureIndexes(): Promise<void>;
  /** Idempotent by event and account. */
  add(change: RecordChanged, accountId: string, now: Date): Promise<void>;
  /** All accounts with waiting events. */
  accounts(): Promise<readonly string[]>;
  /** Whether an event of the account is to be claimed. */
  isDue(accountId: string, now: Date, gone: Gone): Promise<boolean>;
  /** Leases the oldest events of the account that have no lease, or one of a process that is gone, up to `most`. */
  claim(
    accountId: string,
    most: number,
    now: Date,
    gone: Gone,
    lease: Lease,
  ): Promise<readonly WaitingEvent[] | undefined>;
  remove(accountId: string, ids: readonly string[]): Promise<void>;
  /** Gives up the leases; the events are due at `at`. */
  postpone(accountId: string, ids: readonly string[], at: Date): Promise<void>;
}

interface WaitingDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly change: RecordChanged;
  /** When it arrived; while it is leased, when the lease expires. */
  readonly dueAt: Date;
  readonly owner?: string;
}

/** Twice as long as an event waits for its next try. */
const longestWait = 120_000;

/** Writes without majority write concern, each with the reason why losing one is harmless. */
export const forgettable = { claim: 'a lease that is lost ends early', postpone: 'the event is tried earlier' };

export function createWaitingEventRepository(connection: Connection): WaitingEventRepository {
  const waiting = connection.collection<WaitingDocument>('waiting_events');
  const insert = createGroupInsert(waiting);
  const free = (now: Date, gone: Gone) => ({
    $or: [
      { dueAt: { $lte: now } },
      // Of before the clock was set back.
      { dueAt: { $gt: new Date(now.getTime() + longestWait) }, owner: { $exists: false } },
      ...(gone.length > 0 ? [{ owner: { $in: [...gone] } }] : []),
    ],
  });

  return {
    async ensureIndexes() {
      await ensureIndex(waiting, { accountId: 1, dueAt: 1 });
    },
    async add(change, accountId, now) {
      await unlessTaken(insert({ _id: `${change.eventId} ${accountId}`, accountId, change, dueAt: now }));
    },
    accounts: () => waiting.distinct('accountId'),
    isDue: async (accountId, now, gone) =>
      (await waiting.findOne({ accountId, ...free(now, gone) }, { projection: { _id: 1 } })) !== null,
    async claim(accountId, most, now, gone, { owner, until }) {
      const oldest = waiting.find({ accountId, ...free(now, gone) }).sort({ dueAt: 1 });
      const found = await oldest.limit(most).toArray();
      if (found.length === 0) return undefined;
      const these = { accountId, _id: { $in: found.map(({ _id }) => _id) } };
      const leased = { dueAt: until, owner };
      const { modifiedCount } = await waiting.updateMany({ ...these, ...free(now, gone) }, { $set: leased });
      // Another process may have won some of them.
      const ours = modifiedCount === found.length ? found : await waiting.find({ ...these, ...leased }).toArray();
      const won = new Set(ours.map(({ _id }) => _id));
      return found
        .filter(({ _id }) => won.has(_id))
        .map(({ _id: id, change, dueAt }) => ({ id, accountId, change, dueAt }));
    },
    async remove(accountId, ids) {
      if (ids.length === 0) return;
      await waiting.deleteMany({ accountId, _id: { $in: [...ids] } }, { writeConcern: durable });
    },
    async postpone(accountId, ids, at) {
      if (ids.length === 0) return;
      await waiting.updateMany({ accountId, _id: { $in: [...ids] } }, { $set: { dueAt: at }, $unset: { owner: '' } });
    },
  };
}

import type { Connection } from 'mongoose';
import type { Attempt, Delivery, Lease } from './delivery';
import { lastOf } from './delivery';
import { collectionOf, durably, fromDocument } from './delivery.document';

/** A line with the due time of its first delivery. */
export interface WaitingLine {
  readonly line: string;
  readonly dueAt: Date;
}

/** The schedule of pending deliveries by line. A partial index holds only these, so the cost does not grow with the log. */
export interface ScheduleRepository {
  /** The next line after `line`, by name, that has a pending delivery. */
  lineAfter(line: string): Promise<WaitingLine | undefined>;
  /** The earliest due time in the line. */
  firstDue(line: string): Promise<Date | undefined>;
  /** Leases up to `most` due deliveries of the line. `lostFence` is set where an earlier lease expired without a result. */
  claim(line: string, now: Date, lease: () => Promise<Lease>, most: number): Promise<readonly Claimed[]>;
  /** Makes the next attempt due at `now` at the latest; false when no attempt is waiting. */
  hasten(delivery: Delivery, now: Date): Promise<boolean>;
  /** Ends the leases of a dead process; returns the lines of these deliveries. */
  endLeases(owner: string, now: Date): Promise<readonly string[]>;
  /** Logs the attempt of a dead process; the present lease stays. */
  recordLoss(delivery: Delivery, lost: Attempt): Promise<void>;
}

export interface Claimed {
  readonly delivery: Delivery;
  readonly lostFence: number | undefined;
}

export function createScheduleRepository(connection: Connection): ScheduleRepository {
  const deliveries = collectionOf(connection);
  const pending = { state: 'pending' } as const;
  const byLine = { line: 1, dueAt: 1 } as const;

  return {
    async lineAfter(line) {
      const found = await deliveries
        .find({ ...pending, line: { $gt: line } }, { projection: { line: 1, dueAt: 1 } })
        .sort(byLine)
        .limit(1)
        .next();
      return found?.dueAt ? { line: found.line, dueAt: found.dueAt } : undefined;
    },

    async firstDue(line) {
      const found = await deliveries
        .find({ ...pending, line }, { projection: { dueAt: 1 } })
        .sort({ dueAt: 1 })
        .limit(1)
        .next();
      return found?.dueAt ?? undefined;
    },

    async claim(line, now, newLease, most) {
      const due = await deliveries
        .find({ ...pending, line, dueAt: { $lte: now } })
        .sort({ dueAt: 1 })
        .limit(most)
        .toArray();
      if (due.length === 0) return [];
      const lease = await newLease();
      const { modifiedCount } = await deliveries.bulkWrite(
        due.map(({ _id, fence }) => ({
          updateOne: {
            filter: { _id, fence, state: 'pending' as const, dueAt: { $lte: now } },
            update: { $set: { leased: true, owner: lease.owner, dueAt: lease.until }, $inc: { fence: 1 } },
          },
        })),
        { ordered: false, ...durably },
      );
      const before = due.map(fromDocument);
      const ours = modifiedCount === due.length ? before : await won(before, lease.owner);
      return ours.map((delivery) => ({
        delivery: { ...delivery, leased: true, owner: lease.owner, dueAt: lease.until, fence: delivery.fence + 1 },
        lostFence: delivery.leased ? delivery.fence : undefined,
      }));
    },

    async hasten({ id, accountId }, now) {
      const waiting = { _id: id, accountId, ...pending, leased: false } as const;
      const hastened = await deliveries.updateOne(waiting, { $min: { dueAt: now } }, durably);
      return hastened.matchedCount > 0;
    },

    async endLeases(owner, now) {
      const held = { owner, leased: true, ...pending } as const;
      const lines = await deliveries.distinct('line', held);
      if (lines.length > 0) await deliveries.updateMany(held, { $min: { dueAt: now } }, durably);
      return lines;
    },

    async recordLoss({ id, fence }, lost) {
      await deliveries.updateOne(
        { _id: id, fence, 'attempts.fence': { $ne: lost.fence } },
        { $set: lastOf(lost), $push: { attempts: lost } },
        durably,
      );
    },
  };

  /** The candidates that `owner` won against concurrent claims, by their fence. */
  async function won(candidates: readonly Delivery[], owner: string): Promise<readonly Delivery[]> {
    const found = await deliveries
      .find({ _id: { $in: candidates.map(({ id }) => id) }, owner, leased: true }, { projection: { fence: 1 } })
      .toArray();
    const fences = new Map(found.map(({ _id, fence }) => [_id, fence]));
    return candidates.filter(({ id, fence }) => fences.get(id) === fence + 1);
  }
}

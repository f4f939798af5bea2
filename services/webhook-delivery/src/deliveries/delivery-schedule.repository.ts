import type { Connection } from 'mongoose';
import type { Attempt, Delivery, Lease } from './delivery';
import { lastOf } from './delivery';
import { collectionOf, durably, fromDocument } from './delivery.document';

/** A line and when the first delivery in it is due. */
export interface WaitingLine {
  readonly line: string;
  readonly dueAt: Date;
}

/** What waits in the store, line by line; an index keeps each ready however long the log is. */
export interface ScheduleRepository {
  /** The next line after `line` in which anything waits, by name. */
  lineAfter(line: string): Promise<WaitingLine | undefined>;
  /** When the first delivery of the line is due. */
  firstDue(line: string): Promise<Date | undefined>;
  /** Up to `most` due deliveries, now leased. `lost` ones were leased before by a process that did not come back. */
  claim(line: string, now: Date, lease: () => Promise<Lease>, most: number): Promise<readonly Claimed[]>;
  /** Makes the next attempt due at `now`, unless it is due already; false when the delivery does not wait for one. */
  hasten(delivery: Delivery, now: Date): Promise<boolean>;
  /** Ends the leases of a process that is no more; says in which lines they are. */
  endLeases(owner: string, now: Date): Promise<readonly string[]>;
  /** Notes an attempt whose process was not heard of again; the delivery keeps its lease. */
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
      const ours = modifiedCount === due.length ? before : await taken(before, lease.owner);
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

  /** Those of `wanted` that `owner` got while others asked for the same. */
  async function taken(wanted: readonly Delivery[], owner: string): Promise<readonly Delivery[]> {
    const found = await deliveries
      .find({ _id: { $in: wanted.map(({ id }) => id) }, owner, leased: true }, { projection: { fence: 1 } })
      .toArray();
    const fences = new Map(found.map(({ _id, fence }) => [_id, fence]));
    return wanted.filter(({ id, fence }) => fences.get(id) === fence + 1);
  }
}

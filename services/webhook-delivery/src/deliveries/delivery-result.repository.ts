import type { Connection } from 'mongoose';
import { attemptFinished } from '@itsm/shared/contracts/deliveries';
import { outboxEntry, pushToOutbox } from '@itsm/shared/messages/outbox/outbox';
import { toAttemptFinished } from './attempt.message';
import type { Attempt, Delivery } from './delivery';
import { destinationOf, lastOf, lineOf } from './delivery';
import { collectionOf, durably } from './delivery.document';

/** What becomes of the delivery. */
export type Verdict =
  { readonly kind: 'delivered' } | { readonly kind: 'retry'; readonly at: Date } | { readonly kind: 'given up' };

/** The result of an attempt. */
export interface Result {
  readonly delivery: Delivery;
  readonly attempt: Attempt;
  readonly verdict: Verdict;
  readonly now: Date;
}

/** `published`: its message has been published, so the outbox does not get it. */
export type ResultToWrite = Result & { readonly published: boolean };

/** `late`: the lease was lost meanwhile; the attempt stands in the log, its message is not sent. */
export type Recorded = 'recorded' | 'late';

/** Writes each result exactly once, however often it is asked to. */
export interface ResultRepository {
  record(results: readonly ResultToWrite[]): Promise<readonly Recorded[]>;
}

export function createResultRepository(connection: Connection): ResultRepository {
  const deliveries = collectionOf(connection);

  async function recordOne(result: ResultToWrite): Promise<Recorded> {
    const { filter, update } = writeOf(result);
    if ((await deliveries.updateOne(filter, update, durably)).matchedCount > 0) return 'recorded';
    return (await recordAfterwards(result)) ?? recordLate(result);
  }

  /** It is written already, or the delivery was ended while the call was on the wire: it was made, and nothing follows. */
  async function recordAfterwards(result: ResultToWrite): Promise<Recorded | undefined> {
    const { delivery, attempt } = result;
    const leased = { _id: delivery.id, fence: attempt.fence };
    const known = await deliveries.findOne({ ...leased, attempts: { $elemMatch: { fence: attempt.fence } } });
    if (known) return 'recorded';
    const ended = await deliveries.updateOne(
      { ...leased, state: { $ne: 'pending' } },
      {
        $set: {
          leased: false,
          ...lastOf(attempt),
          ...(attempt.outcome === 'delivered' && { state: 'delivered' as const }),
        },
        ...pushOf(result, true),
      },
      durably,
    );
    return ended.matchedCount > 0 ? 'recorded' : undefined;
  }

  /** Another process has the delivery by now. A success ends it all the same: the receiver has it. */
  async function recordLate({ delivery: { id }, attempt }: Result): Promise<Recorded> {
    const replaced = await deliveries.updateOne(
      { _id: id, attempts: { $elemMatch: { fence: attempt.fence, lost: true } } },
      { $set: { 'attempts.$': attempt } },
      durably,
    );
    if (replaced.matchedCount === 0) {
      await deliveries.updateOne(
        { _id: id, 'attempts.fence': { $ne: attempt.fence } },
        { $push: { attempts: attempt } },
        durably,
      );
    }
    if (attempt.outcome === 'delivered') {
      await deliveries.updateOne({ _id: id, state: 'pending' }, { $set: { state: 'delivered', dueAt: null } }, durably);
    }
    // Only the store knows which attempt is the last.
    const last = { lastErrorClass: { $last: '$attempts.errorClass' }, lastStatus: { $last: '$attempts.status' } };
    await deliveries.updateOne({ _id: id }, [{ $set: last }], durably);
    return 'late';
  }

  return {
    async record(results) {
      const writes = results.map((result) => ({ updateOne: writeOf(result) }));
      const { matchedCount } = await deliveries.bulkWrite(writes, { ordered: false, ...durably });
      if (matchedCount === results.length) return results.map(() => 'recorded');
      // The answer does not say which of them did not match; a second write of those that did matches nothing.
      return Promise.all(results.map(recordOne));
    },
  };
}

/** The attempt, what becomes of the delivery and the message about it, under the lease it was made with. */
function writeOf(result: ResultToWrite) {
  const { delivery, attempt, verdict } = result;
  return {
    filter: { _id: delivery.id, fence: attempt.fence, state: 'pending' as const, leased: true },
    update: {
      $set: { leased: false, ...lastOf(attempt), ...changesFor(delivery, verdict) },
      ...pushOf(result, verdict.kind !== 'retry'),
    },
  };
}

function pushOf({ delivery, attempt, verdict, now, published }: ResultToWrite, final: boolean) {
  if (published) return { $push: { attempts: attempt } };
  const nextAttemptAt = !final && verdict.kind === 'retry' ? verdict.at : null;
  const message = toAttemptFinished(delivery, attempt, nextAttemptAt, now);
  const { $push, $min } = pushToOutbox([outboxEntry(attemptFinished, message, messageId(delivery, attempt))], now);
  return { $push: { attempts: attempt, ...$push } as { attempts: Attempt }, $min };
}

/** The same for every repeat of the message. */
export const messageId = ({ id }: Delivery, { number }: Attempt): string => `${id}.${number}`;

function changesFor(delivery: Delivery, verdict: Verdict): Partial<Delivery> {
  switch (verdict.kind) {
    case 'delivered':
      return { state: 'delivered', dueAt: null };
    case 'retry':
      return { state: 'pending', dueAt: verdict.at, line: lineOf('retry', destinationOf(delivery)) };
    case 'given up':
      return { state: 'failed', dueAt: null };
  }
}

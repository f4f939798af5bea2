import type { Connection } from 'mongoose';
import { attemptFinished } from '@itsm/shared/contracts/deliveries';
import { outboxEntry, pushToOutbox } from '@itsm/shared/messages/outbox/outbox';
import { toAttemptFinished } from './attempt.message';
import type { Attempt, Delivery } from './delivery';
import { destinationOf, lastOf, lineOf } from './delivery';
import { collectionOf, durably } from './delivery.document';

/** The verdict: how the delivery goes on. */
export type Verdict =
  { readonly kind: 'delivered' } | { readonly kind: 'retry'; readonly at: Date } | { readonly kind: 'given up' };

/** An attempt with its verdict, to be recorded. */
export interface Result {
  readonly delivery: Delivery;
  readonly attempt: Attempt;
  readonly verdict: Verdict;
  readonly now: Date;
}

/** `published`: the message is already published, so it is not added to the outbox. */
export type ResultToWrite = Result & { readonly published: boolean };

/** `late`: the lease was lost; the attempt is logged, but its message is not sent. */
export type Recorded = 'recorded' | 'late';

/** Records results. Idempotent by delivery and fence. */
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

  /**
   * Handles a result that is recorded already, or whose delivery was ended during the call: the attempt is logged, and
   * nothing follows.
   */
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

  /** Another process holds the lease. A success still ends the delivery, since the receiver has it. */
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
    // Computed in the store: only there the order of attempts is known.
    const last = { lastErrorClass: { $last: '$attempts.errorClass' }, lastStatus: { $last: '$attempts.status' } };
    await deliveries.updateOne({ _id: id }, [{ $set: last }], durably);
    return 'late';
  }

  return {
    async record(results) {
      const writes = results.map((result) => ({ updateOne: writeOf(result) }));
      const { matchedCount } = await deliveries.bulkWrite(writes, { ordered: false, ...durably });
      if (matchedCount === results.length) return results.map(() => 'recorded');
      // A bulk result does not say which writes did not match. Repeating them is safe: those that matched do not match again.
      return Promise.all(results.map(recordOne));
    },
  };
}

/** One update with the attempt, the new state and the outbox message, conditional on the fence of the lease. */
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

/** Deterministic, so that consumers recognize a repeat. */
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

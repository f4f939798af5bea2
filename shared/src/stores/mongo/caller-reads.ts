import { mongo } from 'mongoose';
import { badRequest, tooManyCalls } from '../../base/errors/app-error';
import { createFairSlots } from '../../base/concurrency/fair-slots';
import type { FairSlots } from '../../base/concurrency/fair-slots';
import { presentCall } from '../../base/concurrency/present-call';

/** Options of a query that end it with the call it is for: when its client leaves, or its time is over. */
export interface ReadOptions {
  readonly maxTimeMS?: number;
  readonly signal?: AbortSignal;
}

/**
 * The possible cost of a read. A `heavy` one may scan all records of an account: a count, or a list by several conditions, by
 * exclusion, by words, or in an order without an index.
 */
export type ReadWeight = 'light' | 'heavy';

/** Concurrent reads of callers in a process, and of one account. Scans always leave a connection and a core to other reads. */
export const readLimits = {
  light: { limit: 16, perOwner: 4, mostWaiting: 2_000 },
  heavy: { limit: 4, perOwner: 1, mostWaiting: 2_000 },
} as const;

const slotsOf = new WeakMap<object, Readonly<Record<ReadWeight, FairSlots>>>();

function slotsFor(store: object): Readonly<Record<ReadWeight, FairSlots>> {
  const known = slotsOf.get(store);
  if (known) return known;
  const slots = {
    light: createFairSlots({ ...readLimits.light, crowded }),
    heavy: createFairSlots({ ...readLimits.heavy, crowded }),
  };
  slotsOf.set(store, slots);
  return slots;
}

const crowded = (): Error => tooManyCalls('Too many reads of this account wait for the database; ask for less at once');

/**
 * Reads `store` (a connection) for the present call: accounts take turns, and a read whose client has disconnected is not begun,
 * or ended in the database. Rejects with 429 when thousands of reads of the account wait already, with 400 when the read takes
 * longer than `maxTimeMS`. Without a call it reads at once.
 */
export async function readForCaller<T>(
  store: object,
  weight: ReadWeight,
  read: (options: () => ReadOptions) => Promise<T>,
): Promise<T> {
  const call = presentCall();
  const { signal } = call ?? {};
  const options = (): ReadOptions => ({ ...(call && signal && { signal, maxTimeMS: call.left() }) });
  try {
    return await (call ? slotsFor(store)[weight].run(call.accountId, () => read(options), signal) : read(options));
  } catch (error) {
    throw isExpired(error) ? badRequest('The search takes too long; narrow it by a filter') : error;
  }
}

/** Whether the database gave a query up at its `maxTimeMS`. */
export const isExpired = (error: unknown): boolean =>
  error instanceof mongo.MongoServerError && error.code === maxTimeExpired;

const maxTimeExpired = 50;

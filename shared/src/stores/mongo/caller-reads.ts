import { mongo } from 'mongoose';
import { badRequest, tooManyCalls } from '../../base/errors/app-error';
import { createFairSlots } from '../../base/concurrency/fair-slots';
import type { FairSlots } from '../../base/concurrency/fair-slots';
import { presentCall } from '../../base/concurrency/present-call';

/** Query options that bind a query to its call: it ends when the client disconnects, or at the deadline. */
export interface ReadOptions {
  readonly maxTimeMS?: number;
  readonly signal?: AbortSignal;
}

/**
 * The possible cost of a read. A `heavy` one may scan all records of an account: a count, or a list by several
 * conditions, by exclusion, by words, or in an order without an index.
 */
export type ReadWeight = 'light' | 'heavy';

/**
 * Concurrent reads on behalf of callers, per process and per account. Heavy reads always leave a connection and a core
 * to others.
 */
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
 * Reads from `store` (a connection) on behalf of the current call, with fair queuing over accounts. When the client
 * disconnects, a waiting read is not started and a running one is ended in the database. 429 when thousands of reads of
 * the account wait, 400 when the read exceeds `maxTimeMS`. Outside of a call it reads at once.
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

/** Whether the database aborted a query at its `maxTimeMS`. */
export const isExpired = (error: unknown): boolean =>
  error instanceof mongo.MongoServerError && error.code === maxTimeExpired;

const maxTimeExpired = 50;

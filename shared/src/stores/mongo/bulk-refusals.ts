import { mongo } from 'mongoose';

interface Refusal {
  readonly index: number;
  readonly code: number;
  readonly errmsg?: string;
}

/**
 * What the store said against single documents of an unordered write, by their place; all others are written as durably as
 * was asked. Undefined when that is not known: nothing was written, or it was not acknowledged by enough nodes in time.
 */
export function bulkRefusals(error: unknown): ReadonlyMap<number, Refusal> | undefined {
  if (!(error instanceof mongo.MongoBulkWriteError) || error.result.getWriteConcernError()) return undefined;
  const all = [error.writeErrors].flat() as unknown as Refusal[];
  return all.length === 0 ? undefined : new Map(all.map((refusal) => [refusal.index, refusal]));
}

/** The places of the documents that are there already; throws an error that says anything else. */
export function duplicatesIn(error: unknown): readonly number[] {
  const refusals = bulkRefusals(error);
  if (!refusals || [...refusals.values()].some(({ code }) => code !== 11_000)) throw error;
  return [...refusals.keys()];
}

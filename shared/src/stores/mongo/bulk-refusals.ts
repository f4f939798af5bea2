import { mongo } from 'mongoose';

interface Refusal {
  readonly index: number;
  readonly code: number;
  readonly errmsg?: string;
}

/**
 * The write errors of an unordered bulk write by document index; all other documents were written with the requested
 * durability. Undefined when that is uncertain: nothing was written, or the write concern failed.
 */
export function bulkRefusals(error: unknown): ReadonlyMap<number, Refusal> | undefined {
  if (!(error instanceof mongo.MongoBulkWriteError) || error.result.getWriteConcernError()) return undefined;
  const all = [error.writeErrors].flat() as unknown as Refusal[];
  return all.length === 0 ? undefined : new Map(all.map((refusal) => [refusal.index, refusal]));
}

/** The indices of documents that exist already; rethrows an error that contains anything else. */
export function duplicatesIn(error: unknown): readonly number[] {
  const refusals = bulkRefusals(error);
  if (!refusals || [...refusals.values()].some(({ code }) => code !== 11_000)) throw error;
  return [...refusals.keys()];
}

import type { Connection } from 'mongoose';
import { unlessTaken } from '../mongo/duplicate-key';
import { durable } from '../mongo/connect-mongo';
import { ensureIndex } from '../mongo/ensure-index';

export const idempotentCallsCollection = 'idempotent_calls';

/** How long an answer is kept. */
const keptMilliseconds = 24 * 60 * 60 * 1_000;
/** How long an attempt may run until another one may take over; longer than any deadline. */
const leaseMilliseconds = 60_000;

/** A call by its key and its contents, both hashed. */
export interface IdempotentCall {
  readonly id: string;
  readonly accountId: string;
  readonly fingerprint: string;
}

/** The right of one attempt to write; another one may take over after `until`. */
export interface Lease {
  readonly id: string;
  readonly accountId: string;
  readonly until: Date;
}

export type Claim =
  | { readonly kind: 'begun'; readonly lease: Lease; readonly recordId: number | undefined }
  /** Null: the call was made, and its answer was not kept. */
  | { readonly kind: 'answered'; readonly answer: string | null }
  | { readonly kind: 'other call' }
  | { readonly kind: 'running' };

interface CallDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly fingerprint: string;
  readonly leaseUntil: Date;
  readonly recordId?: number;
  /** Absent until the call is done. */
  readonly answer?: string | null;
  readonly expiresAt: Date;
}

/** The calls with an `Idempotency-Key` of the last 24 hours, and what they answered. */
export interface IdempotentCalls {
  ensureIndexes(): Promise<void>;
  /** Begins an attempt, of which there is one at a time. */
  claim(call: IdempotentCall, at: Date): Promise<Claim>;
  /** Keeps the number of the record that the attempt makes; false when another attempt has taken over. */
  reserve(lease: Lease, recordId: number): Promise<boolean>;
  keep(lease: Lease, answer: string | null, at: Date): Promise<void>;
  /** Lets another attempt take over at once, with the number that is reserved. */
  release(lease: Lease, at: Date): Promise<void>;
  forget(lease: Lease): Promise<void>;
  /** Forgets the account's oldest answers beyond its newest `most`. */
  prune(accountId: string, most: number): Promise<void>;
}

export function createIdempotentCalls(connection: Connection): IdempotentCalls {
  const calls = connection.collection<CallDocument>(idempotentCallsCollection);
  const options = { writeConcern: durable } as const;
  const held = ({ id, accountId, until }: Lease) => ({ _id: id, accountId, leaseUntil: until });

  const begun = ({ id, accountId, fingerprint }: IdempotentCall, at: Date): CallDocument => ({
    _id: id,
    accountId,
    fingerprint,
    leaseUntil: new Date(at.getTime() + leaseMilliseconds),
    expiresAt: new Date(at.getTime() + keptMilliseconds),
  });

  const leaseOf = ({ _id: id, accountId, leaseUntil: until }: CallDocument): Lease => ({ id, accountId, until });

  /** After another attempt: of two that take over at once, one finds it changed. */
  async function takeOver({ leaseUntil }: CallDocument, next: CallDocument): Promise<Claim> {
    const { _id, accountId, recordId } = next;
    const { matchedCount } = await calls.replaceOne({ _id, accountId, leaseUntil }, next, options);
    return matchedCount === 0 ? { kind: 'running' } : { kind: 'begun', lease: leaseOf(next), recordId };
  }

  return {
    async ensureIndexes() {
      await ensureIndex(calls, { expiresAt: 1 }, { expireAfterSeconds: 0 });
      await ensureIndex(calls, { accountId: 1, expiresAt: -1 });
    },
    async claim(call, at) {
      const next = begun(call, at);
      if (await unlessTaken(calls.insertOne(next, options)))
        return { kind: 'begun', lease: leaseOf(next), recordId: undefined };
      const found = await calls.findOne({ _id: call.id, accountId: call.accountId });
      if (!found) return { kind: 'running' };
      // The store removes it a little later.
      if (found.expiresAt <= at) return takeOver(found, next);
      if (found.fingerprint !== call.fingerprint) return { kind: 'other call' };
      if (found.answer !== undefined) return { kind: 'answered', answer: found.answer };
      if (found.leaseUntil > at) return { kind: 'running' };
      return takeOver(found, found.recordId === undefined ? next : { ...next, recordId: found.recordId });
    },
    async reserve(lease, recordId) {
      const { matchedCount } = await calls.updateOne(held(lease), { $set: { recordId } }, options);
      return matchedCount > 0;
    },
    async keep(lease, answer, at) {
      const expiresAt = new Date(at.getTime() + keptMilliseconds);
      await calls.updateOne(held(lease), { $set: { answer, expiresAt } }, options);
    },
    async release(lease, at) {
      await calls.updateOne(held(lease), { $set: { leaseUntil: at } }, options);
    },
    async forget(lease) {
      await calls.deleteOne(held(lease), options);
    },
    async prune(accountId, most) {
      const newestBeyond = { sort: { expiresAt: -1 }, skip: most, projection: { expiresAt: 1 } } as const;
      const oldest = await calls.findOne({ accountId }, newestBeyond);
      if (oldest) await calls.deleteMany({ accountId, expiresAt: { $lte: oldest.expiresAt } }, options);
    },
  };
}

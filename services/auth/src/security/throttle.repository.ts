import { randomInt } from 'node:crypto';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import { isDuplicateKey } from '@itsm/shared/stores/mongo/duplicate-key';
import { isBounded } from './throttle';
import type { Throttle, ThrottleKind } from './throttle';

type ThrottleDocument = Omit<Throttle, 'key'> & { readonly _id: string; readonly bucket?: string };

/** Throttles of the whole installation; not by account, which is unknown before sign-in. */
export interface ThrottleRepository {
  find(key: string): Promise<Throttle | undefined>;
  /**
   * Compare-and-set: false when another attempt was counted since `before` was read. A new throttle of a bounded kind that is
   * full displaces the one nearest to its expiry in a random bucket.
   */
  replace(before: Throttle | undefined, after: Throttle, kind: ThrottleKind): Promise<boolean>;
  delete(key: string): Promise<void>;
}

/** Writes without majority write concern, each with the reason why losing one is harmless. */
export const forgettable = {
  replace: 'a failure of a node forgives the attempts of a moment',
  delete: 'the failures fade by themselves',
};

export const throttleCollection = 'sign_in_throttles';

/**
 * Each bounded kind is divided into buckets, because counting one takes a hundred keys of an index instead of all. A
 * throttle is found by its key, so its bucket can be random, and nobody can fill the bucket of a certain throttle.
 */
export const buckets = 500;
export const mostOfBucket = 100;
/** The most throttles of a bounded kind. */
export const mostOfKind = buckets * mostOfBucket;
export const bucketOf = (kind: ThrottleKind, n: number): string => `${kind} ${n}`;

const schema = new Schema<ThrottleDocument>(
  {
    _id: String,
    failures: { type: Number, required: true },
    failedAt: { type: Date, required: true },
    openAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    bucket: String,
  },
  { collection: throttleCollection, versionKey: false },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
schema.index({ bucket: 1, expiresAt: -1, _id: -1 });

export function createThrottleRepository(connection: Connection): ThrottleRepository {
  const throttles = connection.model<ThrottleDocument>('SignInThrottle', schema);

  /** After each insert, so that concurrent ones leave no more than the bound either. */
  async function makeRoom(bucket: string, newest: string): Promise<void> {
    const surplus = await throttles
      .find({ bucket, _id: { $ne: newest } }, { _id: 1 })
      .sort({ expiresAt: -1, _id: -1 })
      .skip(mostOfBucket - 1)
      .lean();
    if (surplus.length > 0) await throttles.deleteMany({ _id: { $in: surplus.map(({ _id }) => _id) } });
  }

  return {
    async find(key) {
      const found = await throttles.findById(key, { bucket: 0 }).lean();
      if (!found) return undefined;
      const { _id, ...fields } = found;
      return { key: _id, ...fields };
    },
    async replace(before, { key, ...fields }, kind) {
      try {
        if (before) {
          const filter = { _id: key, failures: before.failures, failedAt: before.failedAt };
          return (await throttles.updateOne(filter, { $set: fields })).matchedCount > 0;
        }
        const bucket = bucketOf(kind, randomInt(buckets));
        await throttles.create({ _id: key, ...fields, ...(isBounded(kind) && { bucket }) });
        // For other kinds it finds nothing. It is asked all the same: otherwise the time would show whether a person has an address.
        await makeRoom(bucket, key);
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async delete(key) {
      await throttles.deleteOne({ _id: key });
    },
  };
}

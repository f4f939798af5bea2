import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import { isDuplicateKey } from '@itsm/shared/stores/mongo/duplicate-key';
import type { Throttle } from './throttle';

type ThrottleDocument = Omit<Throttle, 'key'> & { readonly _id: string; readonly expiresAt: Date };

/** Throttles of the whole installation; not by account, which is unknown before sign-in. */
export interface ThrottleRepository {
  find(key: string): Promise<Throttle | undefined>;
  /** Compare-and-set: false when another attempt was counted since `before` was read. */
  replace(before: Throttle | undefined, after: Throttle): Promise<boolean>;
  delete(key: string): Promise<void>;
}

/** Writes without majority write concern, each with the reason why losing one is harmless. */
export const forgettable = {
  replace: 'a failure of a node forgives the attempts of a moment',
  delete: 'the failures fade by themselves',
};

export const throttleCollection = 'sign_in_throttles';

const schema = new Schema<ThrottleDocument>(
  {
    _id: String,
    failures: { type: Number, required: true },
    failedAt: { type: Date, required: true },
    openAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: throttleCollection, versionKey: false },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** By then almost all failures have faded. */
const rememberMilliseconds = 86_400_000;

export function createThrottleRepository(connection: Connection): ThrottleRepository {
  const throttles = connection.model<ThrottleDocument>('SignInThrottle', schema);
  return {
    async find(key) {
      const found = await throttles.findById(key).lean();
      return found ? { key, failures: found.failures, failedAt: found.failedAt, openAt: found.openAt } : undefined;
    },
    async replace(before, { key, ...after }) {
      const fields = { ...after, expiresAt: new Date(after.openAt.getTime() + rememberMilliseconds) };
      try {
        if (before) {
          const filter = { _id: key, failures: before.failures, failedAt: before.failedAt };
          return (await throttles.updateOne(filter, { $set: fields })).matchedCount > 0;
        }
        await throttles.create({ _id: key, ...fields });
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

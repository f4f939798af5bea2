import { isExpired } from '@itsm/shared/stores/mongo/caller-reads';
import type { ReadOptions } from '@itsm/shared/stores/mongo/caller-reads';

/** The time left, as a query option: all queries of one search share it. */
export type Within = () => ReadOptions & { readonly maxTimeMS: number };

export function within(milliseconds: number, options: () => ReadOptions): Within {
  const until = performance.now() + milliseconds;
  return () => {
    const { maxTimeMS = Infinity, ...more } = options();
    return { ...more, maxTimeMS: Math.max(1, Math.min(maxTimeMS, Math.ceil(until - performance.now()))) };
  };
}

/** The result of a read, or undefined when it ran into its time limit. */
export async function unlessExpired<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isExpired(error)) return undefined;
    throw error;
  }
}

import type { Connection } from 'mongoose';
import { createBatcher } from './batcher';
import type { Batcher } from './batcher';
import { durable } from './connect-mongo';

/** Ascending integer ids, unique per name; gaps are possible. */
export interface Sequence {
  /** Draws a number. A later call gets a higher one; concurrent calls share a command. */
  next(name: string): Promise<number>;
  /** Reserves `count` consecutive numbers; returns the first. */
  reserve(name: string, count: number): Promise<number>;
}

export function createSequence(connection: Connection): Sequence {
  const counters = connection.collection<{ _id: string; value: number }>('sequences');
  const single = new Map<string, Batcher<undefined, number>>();

  async function reserve(name: string, count: number): Promise<number> {
    const counter = await counters.findOneAndUpdate(
      { _id: name },
      { $inc: { value: count } },
      { upsert: true, returnDocument: 'after', writeConcern: durable },
    );
    if (!counter) throw new Error(`The sequence ${name} gave no number`);
    return counter.value - count + 1;
  }

  function batcherOf(name: string): Batcher<undefined, number> {
    const existing = single.get(name);
    if (existing) return existing;
    const created = createBatcher<undefined, number>(async (callers) => {
      const first = await reserve(name, callers.length);
      return callers.map((_, index) => first + index);
    });
    single.set(name, created);
    return created;
  }

  return { reserve, next: (name) => batcherOf(name)(undefined) };
}

import type { Connection } from 'mongoose';
import { presentCall } from '../../base/concurrency/present-call';
import { createBatcher } from './batcher';
import type { Batcher } from './batcher';
import { durable } from './connect-mongo';

/** Ascending integer ids, unique per name; gaps are possible. */
export interface Sequence {
  /**
   * Draws a number. A later call gets a higher one; concurrent calls share a command. A call with an `Idempotency-Key`
   * gets its first number again when it is repeated.
   */
  next(name: string): Promise<number>;
  /** A number for what every attempt of a call makes again, such as an audit line; a retry gets another one. */
  draw(name: string): Promise<number>;
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

  const draw = (name: string): Promise<number> => batcherOf(name)(undefined);

  return {
    reserve,
    draw,
    next: (name) => presentCall()?.attempt?.number(() => draw(name)) ?? draw(name),
  };
}

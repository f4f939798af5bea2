import type { Connection } from 'mongoose';
import { durable } from './connect-mongo';

/** Ascending, gap-tolerant integer ids, unique per name. */
export interface Sequence {
  next(name: string): Promise<number>;
  /** Draws `count` numbers at once; gives the first of them. */
  reserve(name: string, count: number): Promise<number>;
}

export function createSequence(connection: Connection): Sequence {
  const counters = connection.collection<{ _id: string; value: number }>('sequences');

  async function reserve(name: string, count: number): Promise<number> {
    const counter = await counters.findOneAndUpdate(
      { _id: name },
      { $inc: { value: count } },
      { upsert: true, returnDocument: 'after', writeConcern: durable },
    );
    if (!counter) throw new Error(`The sequence ${name} gave no number`);
    return counter.value - count + 1;
  }

  return { reserve, next: (name) => reserve(name, 1) };
}

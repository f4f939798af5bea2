import type { z } from 'zod';

/** A message both sides agree on; `name` is `context.noun.past-verb.v1` and the routing key. */
export interface Contract<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
}

/** A durable queue of one consumer: which contracts reach it. Every process declares all of them, so start order never loses a message. */
export interface Queue {
  readonly name: string;
  readonly contracts: readonly Contract<unknown>[];
}

import type { z } from 'zod';

/**
 * A message contract that publisher and consumer share; `name` is `context.noun.past-verb.v1`, which is also the
 * routing key.
 */
export interface Contract<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
}

/**
 * A durable queue of one consumer, with its contracts. Every process declares all queues, so that no message is lost
 * when a consumer starts later.
 */
export interface Queue {
  readonly name: string;
  readonly contracts: readonly Contract<unknown>[];
}

import type { Logger } from '../../observing/logs/logger';
import type { SubgraphContext } from './context';

/** A query that may have many nodes for an answer, of the caller in `context`. */
export interface LargeQuery {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: SubgraphContext;
}

export interface WrittenAnswer {
  /** Of HTTP. */
  readonly status: number;
  /** JSON. */
  readonly text: string;
}

export type ToLargeQueries =
  | { readonly kind: 'answer'; readonly id: number; readonly query: LargeQuery; readonly milliseconds: number }
  /** Nobody waits for the answer any more. */
  | { readonly kind: 'leave'; readonly id: number };

export type FromLargeQueries =
  | { readonly kind: 'answered'; readonly id: number; readonly status: number; readonly body: Uint8Array }
  | { readonly kind: 'failed'; readonly id: number; readonly error: unknown }
  | { readonly kind: 'log'; readonly level: keyof Logger; readonly message: string; readonly facts: object };

/** The header by which the gateway says that a call may answer with many nodes. */
export const largeCallHeader = 'x-large-call';

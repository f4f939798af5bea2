import type { Logger } from '../../observing/logs/logger';
import type { SubgraphContext } from './context';

/** A query whose answer may have many nodes, on behalf of the caller in `context`. */
export interface LargeQuery {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: SubgraphContext;
}

export interface WrittenAnswer {
  /** The HTTP status. */
  readonly status: number;
  /** The JSON text. */
  readonly text: string;
}

export type ToLargeQueries =
  | { readonly kind: 'answer'; readonly id: number; readonly query: LargeQuery; readonly milliseconds: number }
  /** The client has disconnected. */
  | { readonly kind: 'leave'; readonly id: number };

export type FromLargeQueries =
  | { readonly kind: 'answered'; readonly id: number; readonly status: number; readonly body: Uint8Array }
  | { readonly kind: 'failed'; readonly id: number; readonly error: unknown }
  | { readonly kind: 'log'; readonly level: keyof Logger; readonly message: string; readonly facts: object };

/** The header by which the gateway marks a call that may answer with many nodes. */
export const largeCallHeader = 'x-large-call';

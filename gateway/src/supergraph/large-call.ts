import type { DocumentNode } from 'graphql';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { ExecutionContext, ExecutionResult } from '../execution/executor';
import type { ExecutorSettings } from '../execution/load-executor';
import type { ConnectionPrice } from '@itsm/shared/pricing/breakdown';

/** The `workerData` of the thread. */
export interface LargeCallSetup {
  readonly supergraphSdl: string;
  readonly executor: ExecutorSettings['chosen'];
  readonly services: readonly string[];
}

/** A call as the thread needs it; tokens stay in the main thread. */
export interface LargeCall {
  readonly document: DocumentNode;
  readonly hash: string;
  /** The index of the operation among the definitions of the document. */
  readonly definition: number;
  readonly conditions: readonly string[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly coerced: Readonly<Record<string, unknown>>;
  readonly requestId: string;
  readonly price: Omit<ExecutionContext['rateLimit'], 'breakdown'>;
  readonly breakdown: readonly ConnectionPrice[];
}

export type ToThread =
  | { readonly kind: 'execute'; readonly id: number; readonly call: LargeCall }
  /** The answer of a service; undefined when it is unreachable. */
  | { readonly kind: 'fetched'; readonly fetch: number; readonly answer: Uint8Array | undefined };

export type FromThread =
  | {
      readonly kind: 'fetch';
      readonly fetch: number;
      /** The id of the call. */
      readonly id: number;
      readonly service: string;
      readonly body: string;
    }
  | {
      readonly kind: 'executed';
      readonly id: number;
      /** JSON text in UTF-8. */
      readonly data: Uint8Array;
      readonly errors: ExecutionResult['errors'];
      readonly isIncomplete: boolean;
    }
  | { readonly kind: 'failed'; readonly id: number; readonly error: unknown }
  | { readonly kind: 'log'; readonly level: keyof Logger; readonly message: string; readonly facts: object };

import type { GraphQLFormattedError, DocumentNode, OperationDefinitionNode } from 'graphql';
import type { CalledService } from '@itsm/shared/api/identity/caller-token';
import type { CallRecord } from '../transport/call-record';
import type { Deadline } from '../transport/deadline';
import type { ConnectionPrice } from '@itsm/shared/pricing/breakdown';
import type { CostState } from '../callers/limit-answers';
import type { Formula } from '@itsm/shared/pricing/formula';

/** One call of an operation that passed all checks. */
export interface Execution {
  readonly operation: ExecutableOperation;
  /** As the client sent them, without defaults. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Coerced, with defaults applied. */
  readonly coerced: Readonly<Record<string, unknown>>;
  readonly context: ExecutionContext;
}

export interface ExecutionResult {
  /** The JSON text of `data`. */
  readonly data: string;
  readonly errors: readonly GraphQLFormattedError[];
  /** Whether a service's data broke its schema without an error being reported. */
  readonly isIncomplete: boolean;
}

/** Like `ExecutionResult`; in a large call the JSON text is UTF-8 bytes. */
export interface ServedResult extends Omit<ExecutionResult, 'data'> {
  readonly data: string | Uint8Array;
}

/** Plans an operation, fetches its parts and assembles the answer. All executors give the same answer. */
export type Executor = (execution: Execution) => Promise<ExecutionResult>;

/** The values of `rateLimit` for a call. */
interface CallPrice extends CostState {
  readonly nodeCount: number;
  readonly breakdown: () => readonly ConnectionPrice[];
}

/** What makes a mutation repeatable. */
export interface Repetition {
  readonly key: string;
  /** Whether a service gave its earlier answer. */
  isReplayed: boolean;
}

/** The context of one call, which its requests to services need. */
export interface ExecutionContext {
  /** The caller's token for each service. */
  readonly callerTokens: Readonly<Record<CalledService, string>>;
  readonly accountId: string;
  readonly requestId: string;
  /** Where its requests to services are noted; undefined in a thread, whose requests the main thread makes. */
  readonly record?: CallRecord;
  readonly clientAddress: string;
  /** The client's language headers: names and values alternate. */
  readonly languages: readonly string[];
  readonly rateLimit: CallPrice;
  readonly deadline: Deadline;
  /** Aborts when the client disconnects; undefined for a call that must finish, such as a mutation. */
  readonly signal?: AbortSignal | undefined;
  /** Of a mutation with an `Idempotency-Key`. */
  readonly repetition?: Repetition | undefined;
  /** Whether this is a shadow run, which must not affect the circuit breakers: no client waits for it. */
  readonly isShadow?: boolean;
}

/** What an executor needs to know of an operation. */
export interface ExecutableOperation {
  readonly document: DocumentNode;
  /** Hash of the document's text and the operation name. */
  readonly hash: string;
  readonly node: OperationDefinitionNode;
  /** The variables that `@skip` and `@include` use. */
  readonly conditions: readonly string[];
  /** Whether planning it takes a few milliseconds at most. */
  readonly isSmall: boolean;
}

/** One operation of a valid document. */
export interface PreparedOperation extends ExecutableOperation {
  readonly kind: 'valid';
  /** Whether the gateway answers some field itself: `rateLimit`, or introspection. */
  readonly isOwn: boolean;
  /** Whether it selects a field that may hold a secret, so that its answer is never compressed. */
  readonly hasSecret: boolean;
  readonly formula: Formula;
}

export interface RefusedDocument {
  readonly kind: 'refused';
  readonly errors: readonly GraphQLFormattedError[];
}

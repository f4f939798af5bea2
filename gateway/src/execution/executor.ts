import type { GraphQLFormattedError, DocumentNode, OperationDefinitionNode } from 'graphql';
import type { CalledService } from '@itsm/shared/api/identity/caller-token';
import type { Deadline } from '../transport/deadline';
import type { ConnectionPrice } from '@itsm/shared/pricing/breakdown';
import type { CostState } from '../callers/limit-answers';
import type { Formula } from '@itsm/shared/pricing/formula';

/** One call of an operation that passed every check. */
export interface Execution {
  readonly operation: ExecutableOperation;
  /** As the client sent them. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** With defaults. */
  readonly coerced: Readonly<Record<string, unknown>>;
  readonly context: ExecutionContext;
}

export interface ExecutionResult {
  /** The JSON text of `data`. */
  readonly data: string;
  readonly errors: readonly GraphQLFormattedError[];
  /** Whether a service broke the schema without reporting an error. */
  readonly isIncomplete: boolean;
}

/** As `ExecutionResult`; the JSON text of a large call is UTF-8 bytes. */
export interface ServedResult extends Omit<ExecutionResult, 'data'> {
  readonly data: string | Uint8Array;
}

/** Plans an operation, fetches its parts and puts the answer together; all executors answer alike. */
export type Executor = (execution: Execution) => Promise<ExecutionResult>;

/** What `rateLimit` returns about a call. */
interface CallPrice extends CostState {
  readonly nodeCount: number;
  readonly breakdown: () => readonly ConnectionPrice[];
}

/** What travels with one call to the services. */
export interface ExecutionContext {
  /** The caller's token for each service. */
  readonly callerTokens: Readonly<Record<CalledService, string>>;
  readonly accountId: string;
  readonly requestId: string;
  readonly clientAddress: string;
  /** Headers that say in which languages the client reads: names and values in turn. */
  readonly languages: readonly string[];
  readonly rateLimit: CallPrice;
  readonly deadline: Deadline;
  /** Aborts when the client has left; undefined for what is carried through nevertheless, as a mutation is. */
  readonly signal?: AbortSignal | undefined;
  /** No client waits for the answer, so that its result must not affect the calls of others. */
  readonly isShadow?: boolean;
}

/** What an executor needs to know of an operation. */
export interface ExecutableOperation {
  readonly document: DocumentNode;
  /** Of the text of the document and the name of the operation that was asked for. */
  readonly hash: string;
  readonly node: OperationDefinitionNode;
  /** The names of the variables in `@skip` and `@include`. */
  readonly conditions: readonly string[];
}

/** One operation of a valid document. */
export interface PreparedOperation extends ExecutableOperation {
  readonly kind: 'valid';
  /** Whether a field is answered by the gateway itself: `rateLimit`, or introspection. */
  readonly isOwn: boolean;
  readonly formula: Formula;
}

export interface RefusedDocument {
  readonly kind: 'refused';
  readonly errors: readonly GraphQLFormattedError[];
}

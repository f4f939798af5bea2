import type { GraphQLFormattedError } from 'graphql';
import type { PreparedOperation } from './prepared-operation';
import type { ExecutionContext } from './execution-context';

/** One call of an operation that passed every check. */
export interface Execution {
  readonly operation: PreparedOperation;
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

/** Plans an operation, fetches its parts and puts the answer together; all executors answer alike. */
export type Executor = (execution: Execution) => Promise<ExecutionResult>;

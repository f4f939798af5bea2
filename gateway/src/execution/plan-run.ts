import type { GraphQLFormattedError } from 'graphql';
import type { DueFetches } from './due-fetches';
import type { ExecutionContext } from './executor';
import type { Data } from './response-data';

/** One execution of a plan, with its partial response. */
export interface PlanRun {
  /** As the client sent them, without defaults. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Coerced, with defaults applied. */
  readonly coerced: Readonly<Record<string, unknown>>;
  readonly context: ExecutionContext;
  readonly data: Data;
  readonly due: DueFetches;
  readonly errors: GraphQLFormattedError[];
}

/** One step of a compiled plan; it adds what it fetches to the run. */
export type Step = (run: PlanRun) => Promise<void>;

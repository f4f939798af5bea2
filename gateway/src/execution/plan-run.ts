import type { GraphQLFormattedError } from 'graphql';
import type { DueFetches } from './due-fetches';
import type { ExecutionContext } from './executor';
import type { Data } from './response-data';

/** One run of a plan: what has come so far. */
export interface PlanRun {
  /** As the client sent them. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** With defaults. */
  readonly coerced: Readonly<Record<string, unknown>>;
  readonly context: ExecutionContext;
  readonly data: Data;
  readonly due: DueFetches;
  readonly errors: GraphQLFormattedError[];
}

/** A part of a plan; what it fetches it adds to the run. */
export type Step = (run: PlanRun) => Promise<void>;

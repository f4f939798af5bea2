import type { GraphQLFormattedError } from 'graphql';
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
  readonly errors: GraphQLFormattedError[];
}

/** A part of a plan; what it fetches it adds to the run. */
export type Step = (run: PlanRun) => Promise<void>;

/** A service that is out of reach costs its own fields. */
export const unavailable = (path?: readonly (string | number)[]): GraphQLFormattedError => ({
  message: 'Service Unavailable',
  ...(path && { path }),
  extensions: { code: 'SERVICE_UNAVAILABLE' },
});

/** The JSON text of the members for the variables that an operation uses; without braces. */
export const variableMembers = (names: readonly string[], variables: PlanRun['variables']): string =>
  names
    .flatMap((name) => {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      return value === undefined ? [] : [`${JSON.stringify(name)}:${JSON.stringify(value)}`];
    })
    .join(',');

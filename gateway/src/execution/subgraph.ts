import { Kind, parse } from 'graphql';
import type { GraphQLFormattedError, SelectionNode } from 'graphql';
import type { ExecutionContext } from './executor';
import type { ServicePart } from './service-client';

/** What one fetch of a plan asks, the same on every call. */
export interface FetchOperation {
  readonly query: string;
  /** `query` as JSON text. */
  readonly queryJson: string;
  /** The response keys of its root, `_entities` left out. */
  readonly rootKeys: readonly string[];
}

/** Runs an operation with the JSON text of its variables; undefined when the subgraph is out of reach. */
export type Subgraph = (
  operation: FetchOperation,
  variables: string,
  context: ExecutionContext,
) => Promise<ServicePart | undefined>;

/** The operation that a plan writes for a fetch. */
export function toFetchOperation(operation: string): FetchOperation {
  const query = withoutName(operation);
  const definition = parse(query, { noLocation: true }).definitions.find(
    ({ kind }) => kind === Kind.OPERATION_DEFINITION,
  );
  const selections = definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : [];
  return { query, queryJson: JSON.stringify(query), rootKeys: [...new Set(rootKeysIn(selections))] };
}

/** Fields of the root may stand in fragments, when these have conditions. */
const rootKeysIn = (selections: readonly SelectionNode[]): string[] =>
  selections.flatMap((selection) => {
    if (selection.kind === Kind.INLINE_FRAGMENT) return rootKeysIn(selection.selectionSet.selections);
    if (selection.kind !== Kind.FIELD || selection.name.value === '_entities') return [];
    return [selection.alias?.value ?? selection.name.value];
  });

/** The planner numbers the names of its fetches; what is asked is the same. */
export const withoutName = (query: string): string => query.replace(/^(query|mutation)\s+\w+/, '$1');

/** A service that is out of reach costs its own fields. */
export const unavailable = (path?: readonly (string | number)[]): GraphQLFormattedError => ({
  message: 'Service Unavailable',
  ...(path && { path }),
  extensions: { code: 'SERVICE_UNAVAILABLE' },
});

/** The JSON text of the members for the variables that an operation uses; without braces. */
export const variableMembers = (names: readonly string[], variables: Readonly<Record<string, unknown>>): string =>
  names
    .flatMap((name) => {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      return value === undefined ? [] : [`${JSON.stringify(name)}:${JSON.stringify(value)}`];
    })
    .join(',');

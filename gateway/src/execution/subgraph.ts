import { Kind, parse } from 'graphql';
import type { GraphQLFormattedError, SelectionNode } from 'graphql';
import type { ExecutionContext } from './executor';
import type { ServicePart } from './service-client';

/** The operation of one fetch of a plan; it is the same on every call. */
export interface FetchOperation {
  readonly query: string;
  /** `query` as JSON text. */
  readonly queryJson: string;
  /** The response keys of its root fields, without `_entities`. */
  readonly rootKeys: readonly string[];
}

/** Runs an operation with its variables as JSON text; undefined when the subgraph is unreachable. */
export type Subgraph = (
  operation: FetchOperation,
  variables: string,
  context: ExecutionContext,
) => Promise<ServicePart | undefined>;

/** Parses the operation that a plan contains for a fetch. */
export function toFetchOperation(operation: string): FetchOperation {
  const query = withoutName(operation);
  const definition = parse(query, { noLocation: true }).definitions.find(
    ({ kind }) => kind === Kind.OPERATION_DEFINITION,
  );
  const selections = definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : [];
  return { query, queryJson: JSON.stringify(query), rootKeys: [...new Set(rootKeysIn(selections))] };
}

/** Root fields may be inside fragments when they are conditional. */
const rootKeysIn = (selections: readonly SelectionNode[]): string[] =>
  selections.flatMap((selection) => {
    if (selection.kind === Kind.INLINE_FRAGMENT) return rootKeysIn(selection.selectionSet.selections);
    if (selection.kind !== Kind.FIELD || selection.name.value === '_entities') return [];
    return [selection.alias?.value ?? selection.name.value];
  });

/** The planner numbers its fetches in their names; without the name, equal fetches are equal texts. */
export const withoutName = (query: string): string => query.replace(/^(query|mutation)\s+\w+/, '$1');

/** The error of each field whose service is unreachable. */
export const unavailable = (path?: readonly (string | number)[]): GraphQLFormattedError => ({
  message: 'Service Unavailable',
  ...(path && { path }),
  extensions: { code: 'SERVICE_UNAVAILABLE' },
});

/** The JSON text of the members for the variables that an operation uses, without braces. */
export const variableMembers = (names: readonly string[], variables: Readonly<Record<string, unknown>>): string =>
  names
    .flatMap((name) => {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      return value === undefined ? [] : [`${JSON.stringify(name)}:${JSON.stringify(value)}`];
    })
    .join(',');

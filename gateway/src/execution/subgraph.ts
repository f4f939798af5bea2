import { Kind, parse } from 'graphql';
import type { SelectionNode } from 'graphql';
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

import { Kind, parse } from 'graphql';
import type { SelectionNode } from 'graphql';
import type { FetchOperation } from './subgraph';

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

import { Kind, parse } from 'graphql';
import type { FetchOperation } from './subgraph';

/** The operation that a plan writes for a fetch. */
export function toFetchOperation(operation: string): FetchOperation {
  const query = withoutName(operation);
  const definition = parse(query, { noLocation: true }).definitions.find(
    ({ kind }) => kind === Kind.OPERATION_DEFINITION,
  );
  const selections = definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : [];
  const rootKeys = selections.flatMap((selection) =>
    selection.kind === Kind.FIELD && selection.name.value !== '_entities'
      ? [selection.alias?.value ?? selection.name.value]
      : [],
  );
  return { query, queryJson: JSON.stringify(query), rootKeys };
}

/** The planner numbers the names of its fetches; what is asked is the same. */
export const withoutName = (query: string): string => query.replace(/^(query|mutation)\s+\w+/, '$1');

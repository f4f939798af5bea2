import { Kind, OperationTypeNode, parse, print, stripIgnoredCharacters, visit } from 'graphql';
import type { FieldNode, OperationDefinitionNode, VariableDefinitionNode } from 'graphql';
import { toFetchOperation } from './subgraph';
import type { FetchOperation } from './subgraph';

/**
 * The alias of `_entities`, and the variable of the representations, for the fetch of that index in a merged operation.
 */
export const aliasOf = (part: number): string => `_entities${part}`;
export const variableOf = (part: number): string => `representations${part}`;

/** Merges entity queries of one plan; undefined when they must be sent separately. */
export type MergeOperations = (queries: readonly string[]) => FetchOperation | undefined;

/**
 * Limit of merged operations per plan. The sets depend on the order in which services answer, and each operation costs
 * a service a parse.
 */
const mostSets = 32;

/** Caches the merged operation of each set of queries, 32 sets at most; `grow` gets the bytes of each new one. */
export function createMergeOperations(grow: (bytes: number) => void): MergeOperations {
  const known = new Map<string, FetchOperation | undefined>();
  return (queries) => {
    const key = queries.join(' ');
    if (known.has(key) || known.size === mostSets) return known.get(key);
    const merged = mergeEntityOperations(queries);
    known.set(key, merged);
    grow(bytesOfSet + key.length * 4);
    return merged;
  };
}

const bytesOfSet = 500;

/**
 * Merges entity queries into one operation: each keeps its representations, under an alias of `_entities`. Undefined
 * when one of them is not the plain `query(...) { _entities(...) {...} }` of query plans (Apollo Federation,
 * "Entities").
 */
function mergeEntityOperations(queries: readonly string[]): FetchOperation | undefined {
  const variables = new Map<string, VariableDefinitionNode>();
  const own = new Set(queries.map((_query, part) => variableOf(part)));
  const selections: FieldNode[] = [];
  for (const [part, query] of queries.entries()) {
    const read = readEntityQuery(query, part);
    if (!read || read.others.some((name) => own.has(name))) return undefined;
    selections.push(read.field);
    // All parts come from one client operation, so a variable has the same type in each.
    for (const definition of read.variables) variables.set(definition.variable.name.value, definition);
  }
  const merged: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: OperationTypeNode.QUERY,
    variableDefinitions: [...variables.values()],
    selectionSet: { kind: Kind.SELECTION_SET, selections },
  };
  return toFetchOperation(stripIgnoredCharacters(print(merged)));
}

function readEntityQuery(query: string, part: number) {
  const { definitions } = parse(query, { noLocation: true });
  const [definition] = definitions;
  if (definitions.length !== 1 || definition?.kind !== Kind.OPERATION_DEFINITION) return undefined;
  const { operation, selectionSet, directives = [] } = definition;
  const [field] = selectionSet.selections;
  const isPlain =
    operation === OperationTypeNode.QUERY && directives.length === 0 && selectionSet.selections.length === 1;
  if (!isPlain || field?.kind !== Kind.FIELD || field.name.value !== '_entities' || field.alias) return undefined;
  const renamed = visit(definition, {
    Variable: (node) =>
      node.name.value === 'representations'
        ? { ...node, name: { kind: Kind.NAME, value: variableOf(part) } }
        : undefined,
  });
  const [entities] = renamed.selectionSet.selections as readonly FieldNode[];
  if (!entities) return undefined;
  return {
    field: { ...entities, alias: { kind: Kind.NAME, value: aliasOf(part) } } satisfies FieldNode,
    variables: renamed.variableDefinitions ?? [],
    /** The names of the client's variables. */
    others: (definition.variableDefinitions ?? []).map(({ variable }) => variable.name.value),
  };
}

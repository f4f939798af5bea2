import { Kind, OperationTypeNode, parse, print, stripIgnoredCharacters, visit } from 'graphql';
import type { FieldNode, OperationDefinitionNode, VariableDefinitionNode } from 'graphql';
import { toFetchOperation } from './subgraph';
import type { FetchOperation } from './subgraph';

/** What a merged operation has for the part of that number: the alias of its `_entities`, and the variable of its representations. */
export const aliasOf = (part: number): string => `_entities${part}`;
export const variableOf = (part: number): string => `representations${part}`;

/**
 * One operation that asks for the entities of all these, each under an alias with representations of its own; undefined when one of
 * them is not the plain `query(...) { _entities(...) {...} }` that plans are made of (Apollo Federation, "Entities").
 */
export function mergeEntityOperations(queries: readonly string[]): FetchOperation | undefined {
  const variables = new Map<string, VariableDefinitionNode>();
  const own = new Set(queries.map((_query, part) => variableOf(part)));
  const selections: FieldNode[] = [];
  for (const [part, query] of queries.entries()) {
    const read = readEntityQuery(query, part);
    if (!read || read.others.some((name) => own.has(name))) return undefined;
    selections.push(read.field);
    // Variables of the client have the same type wherever they are used.
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
    /** As the client names them. */
    others: (definition.variableDefinitions ?? []).map(({ variable }) => variable.name.value),
  };
}

import { Kind, getNamedType, getNullableType, isCompositeType, isListType } from 'graphql';
import type { FieldNode, GraphQLField, GraphQLNamedType, SelectionNode } from 'graphql';
import type { Condition } from './conditions';
import { limits } from './limits';

/** One field of the response, merged from all places of the document that select it. */
export interface SelectedField {
  /** The first place that selects it. */
  readonly node: FieldNode;
  readonly definition: GraphQLField<unknown, unknown> | undefined;
  readonly type: GraphQLNamedType | undefined;
  readonly isConnection: boolean;
  readonly isRateLimit: boolean;
  /** `__typename`, or a field below `__schema`: not counted for depth or mutations. */
  readonly isIntrospection: boolean;
  /** The assumed length of a list that is no page of a connection; otherwise 1. */
  readonly length: number;
  /** A disjunction: the field is in the response when all conditions of any occurrence hold. */
  readonly occurrences: (readonly Condition[])[];
  readonly children: SelectedFields;
}

export type SelectedFields = Map<string, SelectedField>;

export function createSelectedField(
  node: FieldNode,
  definition: GraphQLField<unknown, unknown> | undefined,
  parent?: GraphQLNamedType,
): SelectedField {
  const type = definition && getNamedType(definition.type);
  return {
    node,
    definition,
    type,
    isConnection: type !== undefined && isCompositeType(type) && isPaged(type, definition),
    isRateLimit: type?.name === 'RateLimit',
    isIntrospection: node.name.value.startsWith('__'),
    length: definition && type ? lengthOf(definition, type, parent) : 1,
    occurrences: [],
    children: new Map(),
  };
}

/**
 * A list without a page size is assumed to be as long as the largest page, since nothing else bounds the connections
 * below it.
 */
function lengthOf(
  definition: GraphQLField<unknown, unknown>,
  type: GraphQLNamedType,
  parent: GraphQLNamedType | undefined,
): number {
  const isList = isCompositeType(type) && isListType(getNullableType(definition.type));
  return isList && !parent?.name.endsWith('Connection') ? limits.pageSize : 1;
}

/** The same without a schema: a field is a connection if it has a page size, or is selected like one. */
export function createUntypedField(node: FieldNode): SelectedField {
  const isConnection =
    (node.arguments ?? []).some(({ name }) => name.value === 'first' || name.value === 'last') ||
    (node.selectionSet?.selections ?? []).some(isPartOfConnection);
  const isRateLimit = node.name.value === 'rateLimit';
  return {
    ...createSelectedField(node, undefined),
    isConnection: isConnection && node.selectionSet !== undefined,
    isRateLimit,
  };
}

function isPartOfConnection(selection: SelectionNode): boolean {
  if (selection.kind !== Kind.FIELD) return false;
  const name = selection.name.value;
  return (
    name === 'totalCount' || (selection.selectionSet !== undefined && ['nodes', 'edges', 'pageInfo'].includes(name))
  );
}

const isPaged = (type: GraphQLNamedType, definition: GraphQLField<unknown, unknown> | undefined): boolean =>
  type.name.endsWith('Connection') && (definition?.args ?? []).some(({ name }) => name === 'first' || name === 'last');

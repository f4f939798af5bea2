import { Kind, executeSync } from 'graphql';
import type { FieldNode, FragmentDefinitionNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';

export interface IntrospectedOperation {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** The JSON text of one field `__schema` or `__type` of the root, apart from the rest of its operation. */
export function introspect(
  { schema, operation, fragments }: IntrospectedOperation,
  fields: readonly FieldNode[],
  variableValues: Readonly<Record<string, unknown>>,
): string {
  const definition: OperationDefinitionNode = {
    ...operation,
    selectionSet: { kind: Kind.SELECTION_SET, selections: fields },
  };
  const { data } = executeSync({
    schema,
    document: { kind: Kind.DOCUMENT, definitions: [definition, ...fragments.values()] },
    rootValue: {},
    variableValues,
  });
  const [value] = Object.values(data ?? {});
  return JSON.stringify(value ?? null);
}

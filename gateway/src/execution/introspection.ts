import { Kind, executeSync, visit } from 'graphql';
import type { DocumentNode, FieldNode, FragmentDefinitionNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';

const fields: ReadonlySet<string> = new Set(['__schema', '__type']);

export const isIntrospection = ({ name }: FieldNode): boolean => fields.has(name.value);

/**
 * The document without introspection, which graphql.js answers: the planner has its own, older idea of its types.
 * `__typename` takes the place of a field, since a selection must not be empty.
 */
export function withoutIntrospection(document: DocumentNode): DocumentNode {
  let found = false;
  const data = visit(document, {
    Field: {
      enter(node) {
        if (!isIntrospection(node)) return undefined;
        found = true;
        return { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' }, directives: node.directives };
      },
    },
  });
  if (!found) return document;
  // Fragments on `__Type` and its like have no user any more.
  const definitions = data.definitions.filter(
    (one) => one.kind !== Kind.FRAGMENT_DEFINITION || !one.typeCondition.name.value.startsWith('__'),
  );
  return { ...data, definitions };
}

export interface IntrospectedOperation {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** The JSON text of one root field `__schema` or `__type`, executed separately from the operation. */
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

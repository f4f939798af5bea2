import { TypeInfo, isAbstractType, separateOperations, visit, visitWithTypeInfo } from 'graphql';
import type { DocumentNode, GraphQLSchema } from 'graphql';

/**
 * The answer of `GET /v1/scopes`: the action that each field needs, by `Type.field`, and each type behind an interface.
 */
export interface Scopes {
  readonly actions: readonly { readonly action: string; readonly label: string }[];
  readonly fields: Readonly<Record<string, string>>;
  readonly types?: Readonly<Record<string, string>>;
}

/** The actions that a token needs for one operation of a document, in alphabetical order. */
export function neededScopes(
  document: DocumentNode,
  operation: string | undefined,
  schema: GraphQLSchema,
  scopes: Scopes,
): readonly string[] {
  const found = new Set<string>();
  const info = new TypeInfo(schema);
  const add = (action: string | undefined): void => void (action !== undefined && found.add(action));
  visit(
    separateOperations(document)[operation ?? ''] ?? document,
    visitWithTypeInfo(info, {
      Field(node) {
        add(scopes.fields[`${info.getParentType()?.name ?? ''}.${node.name.value}`]);
      },
      InlineFragment(node) {
        const type = node.typeCondition && schema.getType(node.typeCondition.name.value);
        if (type && !isAbstractType(type)) add(scopes.types?.[type.name]);
      },
      FragmentDefinition(node) {
        const type = schema.getType(node.typeCondition.name.value);
        if (type && !isAbstractType(type)) add(scopes.types?.[type.name]);
      },
    }),
  );
  return [...found].sort();
}

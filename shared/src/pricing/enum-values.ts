import { isEnumType, getNamedType, Kind, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import type { DocumentNode, GraphQLSchema } from 'graphql';

/**
 * The document with enum values that are written as strings, `status: "assigned"`, as the enum values they mean. Sets
 * of words were scalars, written as strings, and clients of compatible services still write them so. A word that the
 * enum lacks stays a string, which validation refuses.
 */
export function withEnumValues(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const types = new TypeInfo(schema);
  const StringValue = {
    StringValue(node: { readonly value: string; readonly loc?: unknown }) {
      const type = getNamedType(types.getInputType());
      if (!isEnumType(type) || type.getValue(node.value) === undefined) return undefined;
      return { kind: Kind.ENUM, value: node.value, loc: node.loc };
    },
  };
  return visit(document, visitWithTypeInfo(types, StringValue));
}

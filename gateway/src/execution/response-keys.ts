import { Kind, isInterfaceType, isObjectType, visit } from 'graphql';
import type { DocumentNode, FieldNode, GraphQLFormattedError, GraphQLSchema } from 'graphql';

/**
 * The keys under which fields are fetched. The planner adds fields that find records again, such as `id` and `__typename`,
 * under their own names; a client's alias of such a name is fetched under another one, so that neither passes for the other.
 */
export interface ResponseKeys {
  /** The document as it is planned. */
  readonly planned: (document: DocumentNode) => DocumentNode;
  /** The key under which a field of the client's document is fetched. */
  readonly keyOf: (field: FieldNode) => string;
}

const prefix = '__as_';

export function createResponseKeys(schema: GraphQLSchema): ResponseKeys {
  const names = new Set(['__typename', ...fieldNamesOf(schema)]);

  function keyOf({ alias, name }: FieldNode): string {
    if (!alias || alias.value === name.value) return name.value;
    return names.has(alias.value) || alias.value.startsWith(prefix) ? prefix + alias.value : alias.value;
  }

  return {
    keyOf,
    planned: (document) =>
      visit(document, {
        Field(node) {
          const key = keyOf(node);
          if (!node.alias || key === node.alias.value) return undefined;
          return { ...node, alias: { kind: Kind.NAME, value: key } };
        },
      }),
  };
}

/** The path of an error in the client's own words. */
export const asAsked = (error: GraphQLFormattedError): GraphQLFormattedError =>
  error.path ? { ...error, path: error.path.map((key) => (typeof key === 'string' ? clientKeyOf(key) : key)) } : error;

const clientKeyOf = (key: string): string => (key.startsWith(prefix) ? key.slice(prefix.length) : key);

const fieldNamesOf = (schema: GraphQLSchema): string[] =>
  Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) || isInterfaceType(type) ? Object.keys(type.getFields()) : [],
  );

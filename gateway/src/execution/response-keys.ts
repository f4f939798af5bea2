import { Kind, isInterfaceType, isObjectType, visit } from 'graphql';
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLFormattedError,
  GraphQLSchema,
  SelectionNode,
} from 'graphql';
import { fragmentsOf } from './collect-fields';

/**
 * The response keys for fetches. The planner adds key fields, such as `id` and `__typename`, under their own names; a
 * client's alias that collides with such a name is renamed for the fetch.
 */
export interface ResponseKeys {
  /** The document with renamed aliases, for the planner. */
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
    planned(document) {
      const fragments = fragmentsOf(document);
      return visit(document, {
        Field(node) {
          const key = keyOf(node);
          const { selectionSet } = node;
          const isRenamed = node.alias !== undefined && key !== node.alias.value;
          const mayBeEmpty = selectionSet !== undefined && selectionSet.selections.every(isConditional(fragments));
          if (!isRenamed && !mayBeEmpty) return undefined;
          return {
            ...node,
            ...(isRenamed && { alias: { kind: Kind.NAME, value: key } }),
            ...(mayBeEmpty && {
              selectionSet: { ...selectionSet, selections: [typeName, ...selectionSet.selections] },
            }),
          };
        },
      });
    },
  };
}

const typeName: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };

/**
 * Whether `@skip` and `@include` may leave nothing of a selection. The plan would then not fetch the object at all, but
 * only its service knows whether it is an empty object or null. So `__typename` is added.
 */
const isConditional =
  (fragments: ReadonlyMap<string, FragmentDefinitionNode>, spreading: readonly string[] = []) =>
  (selection: SelectionNode): boolean => {
    const { kind, directives = [] } = selection;
    if (directives.some(({ name }) => name.value === 'skip' || name.value === 'include')) return true;
    if (kind === Kind.FIELD) return false;
    if (kind === Kind.INLINE_FRAGMENT)
      return selection.selectionSet.selections.every(isConditional(fragments, spreading));
    const { value } = selection.name;
    const fragment = spreading.includes(value) ? undefined : fragments.get(value);
    return fragment?.selectionSet.selections.every(isConditional(fragments, [...spreading, value])) ?? false;
  };

/** The error with the client's own response keys in its path. */
export const asAsked = (error: GraphQLFormattedError): GraphQLFormattedError =>
  error.path ? { ...error, path: error.path.map((key) => (typeof key === 'string' ? clientKeyOf(key) : key)) } : error;

const clientKeyOf = (key: string): string => (key.startsWith(prefix) ? key.slice(prefix.length) : key);

const fieldNamesOf = (schema: GraphQLSchema): string[] =>
  Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) || isInterfaceType(type) ? Object.keys(type.getFields()) : [],
  );

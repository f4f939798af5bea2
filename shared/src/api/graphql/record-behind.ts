import { Kind } from 'graphql';
import type {
  DocumentNode,
  FieldDefinitionNode,
  ObjectTypeDefinitionNode,
  ObjectTypeExtensionNode,
  TypeNode,
} from 'graphql';

/** The definition of an object type, or one of its extensions. */
export type ObjectNode = ObjectTypeDefinitionNode | ObjectTypeExtensionNode;

/** The object types of a schema, by name, each with its definition and extensions. */
export type ObjectTypes = ReadonlyMap<string, readonly ObjectNode[]>;

export function objectTypesOf({ definitions }: DocumentNode): ObjectTypes {
  const types = new Map<string, ObjectNode[]>();
  for (const node of definitions) {
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.OBJECT_TYPE_EXTENSION) continue;
    types.set(node.name.value, [...(types.get(node.name.value) ?? []), node]);
  }
  return types;
}

export const fieldsOf = (types: ObjectTypes, name: string): readonly FieldDefinitionNode[] =>
  (types.get(name) ?? []).flatMap(({ fields = [] }) => fields);

/** Whether the type is a part of a connection, which needs no scope of its own. */
export const isPage = (type: string): boolean => /(Connection|Edge)$/.test(type);

/** The name of a field's type; for a connection that of its nodes. */
export function recordBehind({ type }: FieldDefinitionNode, types: ObjectTypes): string {
  const name = namedType(type);
  const nodes = isPage(name) ? fieldsOf(types, name).find((field) => field.name.value === 'nodes') : undefined;
  return nodes ? namedType(nodes.type) : name;
}

const namedType = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type));

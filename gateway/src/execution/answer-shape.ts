import { getNamedType, getNullableType, isListType, Kind, parse } from 'graphql';
import type { DocumentNode, GraphQLNamedType, GraphQLOutputType, GraphQLSchema, SelectionSetNode } from 'graphql';
import { fragmentsOf } from './collect-fields';
import { isData, ownMember, setMember } from './response-data';

/** The expected shape of an answer to a fetch; leaf values are checked elsewhere. */
interface Shape {
  /** The depth of nested lists. */
  readonly lists: number;
  /** The fields of an object by response key; undefined for a leaf. */
  readonly members: Map<string, Shape> | undefined;
}

/**
 * Replaces with null whatever is not the list or object that the schema requires; returns whether it replaced anything.
 */
export type FitAnswer = (data: Record<string, unknown>) => boolean;

/**
 * `@apollo/gateway` fails the whole call when one service answers with a misshapen value; with null in its place the
 * call goes on.
 */
export function compileAnswerShape(schema: GraphQLSchema, query: string): FitAnswer {
  const document = parse(query, { noLocation: true });
  const members = membersOf(document, schema);
  return (data) => {
    const found = { isMisfit: false };
    fitMembers(data, members, found);
    return found.isMisfit;
  };
}

function membersOf(document: DocumentNode, schema: GraphQLSchema): Map<string, Shape> {
  const fragments = fragmentsOf(document);
  const add = (
    to: Map<string, Shape>,
    { selections }: SelectionSetNode,
    parent: GraphQLNamedType | undefined,
  ): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const { name, alias, selectionSet } = selection;
        const key = alias?.value ?? name.value;
        const type = fieldType(parent, name.value);
        const lists = name.value === '_entities' ? 1 : listsAround(type);
        const shape = to.get(key) ?? { lists, members: selectionSet && new Map<string, Shape>() };
        to.set(key, shape);
        if (selectionSet && shape.members) add(shape.members, selectionSet, type && getNamedType(type));
      } else {
        const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
        const condition = fragment?.typeCondition?.name.value;
        if (fragment) add(to, fragment.selectionSet, condition === undefined ? parent : schema.getType(condition));
      }
    }
  };
  const root = new Map<string, Shape>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.OPERATION_DEFINITION)
      add(root, definition.selectionSet, schema.getRootType(definition.operation) ?? undefined);
  return root;
}

const fieldType = (parent: GraphQLNamedType | undefined, name: string): GraphQLOutputType | undefined =>
  parent && 'getFields' in parent ? (parent.getFields()[name]?.type as GraphQLOutputType | undefined) : undefined;

function listsAround(type: GraphQLOutputType | undefined): number {
  const nullable = type && getNullableType(type);
  return isListType(nullable) ? 1 + listsAround(nullable.ofType) : 0;
}

interface Found {
  isMisfit: boolean;
}

function fitMembers(data: Record<string, unknown>, members: ReadonlyMap<string, Shape>, found: Found): void {
  for (const [key, shape] of members) {
    const value = ownMember(data, key) ?? null;
    if (value !== null && !fits(value, shape, shape.lists, found)) {
      found.isMisfit = true;
      setMember(data, key, null);
    }
  }
}

function fits(value: unknown, shape: Shape, lists: number, found: Found): boolean {
  if (lists > 0) {
    if (!Array.isArray(value)) return false;
    for (const [index, member] of value.entries())
      if (member !== null && !fits(member, shape, lists - 1, found)) {
        found.isMisfit = true;
        value[index] = null;
      }
  } else if (shape.members) {
    if (!isData(value)) return false;
    fitMembers(value, shape.members, found);
  }
  return true;
}

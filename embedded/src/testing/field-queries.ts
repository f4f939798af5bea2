import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import type { GraphQLArgument, GraphQLField, GraphQLInputType, GraphQLObjectType, GraphQLSchema } from 'graphql';

type Field = GraphQLField<unknown, unknown>;

/** One field of the schema, and a query that selects it. */
export interface FieldQuery {
  /** Such as `Request.notes`. */
  readonly name: string;
  /** The fields that lead to it, such as `['Query.requests', 'RequestConnection.nodes']`. */
  readonly above: readonly string[];
  /** A query that selects it, with its own scalar and enum fields, on every record that is found. */
  readonly query: string;
}

interface Place {
  readonly type: GraphQLObjectType;
  readonly above: readonly string[];
  readonly wrap: (selection: string) => string;
}

/**
 * All fields of all object types that queries reach without required arguments, each by a shortest path. `isSelected`:
 * which of a field's own scalars and enums are selected, by default all.
 */
export function fieldQueries(
  schema: GraphQLSchema,
  isAsked: (name: string) => boolean,
  isSelected: (name: string) => boolean = () => true,
): FieldQuery[] {
  const leavesOf = leafSelections(schema, isSelected);
  const query = schema.getQueryType();
  const places: Place[] = query ? [{ type: query, above: [], wrap: (selection) => `{ ${selection} }` }] : [];
  const seen = new Set(places.map(({ type }) => type));
  const found: FieldQuery[] = [];
  for (const place of places) {
    for (const field of Object.values(place.type.getFields())) {
      const name = `${place.type.name}.${field.name}`;
      if (!isAsked(name)) continue;
      found.push({ name, above: place.above, query: place.wrap(`${callOf(field)} ${leavesOf(field)}`) });
      const below = getNamedType(field.type);
      if (!isObjectType(below) || seen.has(below) || field.args.some(isRequiredArgument)) continue;
      seen.add(below);
      const wrap = (selection: string) => place.wrap(`${callOf(field)} { ${selection} }`);
      places.push({ type: below, above: [...place.above, name], wrap });
    }
  }
  return found;
}

/** A mutation with the minimal valid input, for records that do not exist. */
export const mutationQuery = (field: Field): string => `mutation { ${callOf(field)} { __typename } }`;

/** The field with its required arguments. Of a connection, the last nodes are selected. */
function callOf({ name, args }: Field): string {
  const given = args.filter((argument) => argument.name === 'last' || isRequiredArgument(argument)).map(textOf);
  return given.length > 0 ? `${name}(${given.join(', ')})` : name;
}

const textOf = ({ name, type }: Pick<GraphQLArgument, 'name' | 'type'>): string => `${name}: ${valueOf(name, type)}`;

/** Sample values, by the name of the argument, or else by its type. */
const values: Readonly<Record<string, string>> = {
  last: '5',
  until: '"2026-03-18T20:04:06Z"',
  ID: '"999999999"',
  Int: '1',
  Boolean: 'false',
  ISO8601Timestamp: '"2026-03-18T19:04:06Z"',
  ISO8601Date: '"2026-03-18"',
  WebhookEvent: '"request.create"',
  WebhookPolicyJwtAlg: '"es256"',
};

/** A sample literal for an argument or input field. */
export function valueOf(name: string, given: GraphQLInputType): string {
  const known = values[name];
  if (known !== undefined) return known;
  const type = getNullableType(given);
  if (isListType(type)) return `[${valueOf(name, type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (isInputObjectType(type))
    return `{ ${Object.values(type.getFields()).filter(isRequiredInputField).map(textOf).join(', ')} }`;
  return (isNonNullType(type) ? undefined : values[type.name]) ?? '"none"';
}

/** Selects the scalars and enums of a type, those of a connection's nodes, and those of every type of an interface. */
function leafSelections(schema: GraphQLSchema, isSelected: (name: string) => boolean) {
  const namesIn = (type: GraphQLObjectType): string[] =>
    Object.values(type.getFields())
      .filter((field) => isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument))
      .map(({ name }) => name)
      .filter((name) => isSelected(`${type.name}.${name}`));
  const selectionOf = ({ type }: Pick<Field, 'type'>): string => {
    const named = getNamedType(type);
    if (!isCompositeType(named)) return '';
    if (isInterfaceType(named)) {
      const each = schema.getPossibleTypes(named).map((one) => {
        const leaves = namesIn(one).map((name) => `${one.name}_${name}: ${name}`);
        return `... on ${one.name} { ${leaves.join(' ')} }`;
      });
      return `{ __typename id ${each.join(' ')} }`;
    }
    if (!isObjectType(named)) return '{ __typename }';
    const { nodes } = named.getFields();
    return `{ __typename ${namesIn(named).join(' ')} ${nodes ? `nodes ${selectionOf(nodes)}` : ''} }`;
  };
  return selectionOf;
}

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

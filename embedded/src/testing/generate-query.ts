import {
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import type { GraphQLArgument, GraphQLField, GraphQLNamedType, GraphQLSchema } from 'graphql';

/** Chooses an integer from 0 to `choices` - 1. */
export type Choose = (choices: number) => number;

const deepest = 7;

/**
 * Generates a query over a whole schema with connections. It may be invalid, for example with conflicting fields. `ids`
 * are the values of arguments of the type ID.
 */
export function generateQuery(schema: GraphQLSchema, ids: readonly string[], choose: Choose): string {
  const pick = <T>(items: readonly T[]): T | undefined => items[choose(items.length)];
  const oneIn = (times: number): boolean => choose(times) === times - 1;

  /** The value as text; undefined if none can be generated, so that the field is left out. */
  function valueFor({ name, type }: GraphQLArgument): string | undefined {
    const named = getNullableType(type);
    if (isEnumType(named)) return pick(named.getValues())?.name;
    if (!isLeafType(named)) return undefined;
    if (named.name === 'ID') return JSON.stringify(pick(ids) ?? '1');
    if (named.name === 'Int') return String(choose(4));
    if (named.name === 'Boolean') return oneIn(2) ? 'true' : 'false';
    return named.name === 'String' ? JSON.stringify(name) : undefined;
  }

  function argumentsOf({ args }: GraphQLField<unknown, unknown>): string | undefined {
    const given: string[] = [];
    const isPaged = args.some(({ name }) => name === 'first');
    for (const argument of args) {
      const isPageSize = argument.name === 'first' && isPaged;
      if (!isPageSize && !isRequiredArgument(argument)) continue;
      const value = isPageSize ? String(1 + choose(3)) : valueFor(argument);
      if (value === undefined) return undefined;
      given.push(`${argument.name}: ${value}`);
    }
    return given.length > 0 ? `(${given.join(', ')})` : '';
  }

  const condition = (): string => (oneIn(12) ? ` @${pick(['skip', 'include'])}(if: ${pick(['$yes', '$no'])})` : '');

  function fieldOf(type: GraphQLNamedType, depth: number): string {
    if (!isObjectType(type) && !isInterfaceType(type)) return '__typename';
    // Each gateway counts its own calls, so this field differs between them.
    const fields = Object.values(type.getFields()).filter(({ name }) => name !== 'rateLimit');
    const field = pick(fields);
    const given = field && argumentsOf(field);
    if (!field || given === undefined) return '__typename';
    const alias = oneIn(4) ? `${pick(['id', '__typename', `x_${field.name}`])}: ` : '';
    const inner = getNamedType(field.type);
    if (!isCompositeType(inner)) return `${alias}${field.name}${given}${condition()}`;
    if (depth >= deepest) return '__typename';
    return `${alias}${field.name}${given}${condition()} ${selectionsOf(inner, depth + 1)}`;
  }

  function fragmentOf(type: GraphQLNamedType, depth: number): string {
    const types: readonly GraphQLNamedType[] = isAbstractType(type) ? [...schema.getPossibleTypes(type), type] : [type];
    const on = pick(types) ?? type;
    return `... on ${on.name}${condition()} ${selectionsOf(on, depth + 1)}`;
  }

  function selectionsOf(type: GraphQLNamedType, depth: number): string {
    const one = (): string =>
      depth < deepest && oneIn(isAbstractType(type) ? 2 : 6) ? fragmentOf(type, depth) : fieldOf(type, depth);
    return `{ ${Array.from({ length: 1 + choose(4) }, one).join(' ')} }`;
  }

  const root = schema.getQueryType();
  if (!root) throw new Error('the schema has no queries');
  return `query Q($yes: Boolean! = true, $no: Boolean! = false) ${selectionsOf(root, 0)}`;
}

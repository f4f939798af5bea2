import { getNamedType, isEnumType, isInputObjectType, isScalarType, isSpecifiedScalarType } from 'graphql';
import type { GraphQLField, GraphQLInputType } from 'graphql';
import { recordChoices } from './record-choices';

const usual: ReadonlySet<string> = new Set(recordChoices);

/**
 * Whether a part of a connection's filter selects from a fixed set of values, so that a negation is the selection of
 * the others. Read from the schema: an enum, or a scalar of its own without bounds. Without a schema, the names of
 * records' choices.
 */
export function choicesOf(definition: GraphQLField<unknown, unknown> | undefined): (part: string) => boolean {
  if (!definition) return (part) => usual.has(part);
  const type = definition.args.find(({ name }) => name === 'filter')?.type;
  const filter = type && getNamedType(type);
  if (!isInputObjectType(filter)) return () => false;
  const parts = filter.getFields();
  return (part) => Object.hasOwn(parts, part) && isChoice(parts[part]?.type);
}

function isChoice(type: GraphQLInputType | undefined): boolean {
  const filter = type && getNamedType(type);
  if (!isInputObjectType(filter)) return false;
  const { values, lessThan } = filter.getFields();
  const value = values && getNamedType(values.type);
  // Only times and dates have scalars of their own and bounds.
  return lessThan === undefined && (isEnumType(value) || (isScalarType(value) && !isSpecifiedScalarType(value)));
}

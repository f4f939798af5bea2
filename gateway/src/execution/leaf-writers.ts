import { isEnumType, isSpecifiedScalarType } from 'graphql';
import type { GraphQLLeafType } from 'graphql';

/** The JSON text of a value that is not null; undefined when the value is none of the type. */
export type LeafWriter = (value: unknown) => string | undefined;

const needsEscapes = /["\\\u0000-\u001f\ud800-\udfff]/; // eslint-disable-line no-control-regex -- JSON escapes them
const longestTested = 200;

export const quoted = (text: string): string =>
  text.length < longestTested && !needsEscapes.test(text) ? `"${text}"` : JSON.stringify(text);

const writeText: LeafWriter = (value) => (typeof value === 'string' ? quoted(value) : undefined);
const writeBoolean: LeafWriter = (value) => (typeof value === 'boolean' ? String(value) : undefined);
const writeInteger: LeafWriter = (value) => (Number.isInteger(value) ? String(value) : undefined);

const writers: Readonly<Record<string, LeafWriter>> = {
  String: writeText,
  ID: (value) => (typeof value === 'string' ? quoted(value) : writeInteger(value)),
  Int: writeInteger,
  Float: (value) => (Number.isFinite(value) ? String(value) : undefined),
  Boolean: writeBoolean,
};

export function leafWriter(type: GraphQLLeafType): LeafWriter {
  if (isEnumType(type)) {
    const texts = new Map(type.getValues().map(({ name }) => [name, `"${name}"`]));
    return (value) => texts.get(value as string);
  }
  const known = isSpecifiedScalarType(type) ? writers[type.name] : undefined;
  return known ?? ((value) => (typeof value === 'string' ? quoted(value) : JSON.stringify(value)));
}

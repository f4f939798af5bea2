import { isAbstractType, isLeafType, isListType, isNonNullType, isEnumType, isSpecifiedScalarType } from 'graphql';
import type {
  FieldNode,
  GraphQLCompositeType,
  GraphQLOutputType,
  GraphQLSchema,
  SelectionSetNode,
  GraphQLLeafType,
} from 'graphql';
import { collectFields } from './collect-fields';
import type { Reading } from './collect-fields';
import { isData, isInherited, ownMember } from './response-data';
import type { Data } from './response-data';
import { quoted } from './json-text';

/** The state of one projection. */
export interface Writing {
  /**
   * Set when a non-null field was null, or a value had another type; not set where a service reported an error for it.
   */
  incomplete: boolean;
  /** The JSON text of an introspection field of the root. */
  readonly introspect: (fields: readonly FieldNode[]) => string;
}

/** Writes `data` as JSON text in the shape of the operation; `null` when a null propagated to the root. */
export type Projection = (data: Data, writing: Writing) => string;

/** The JSON text of a value; undefined for a null that propagates to the parent (GraphQL, "Handling Field Errors"). */
type Writer = (value: unknown, writing: Writing) => string | undefined;

interface WrittenField {
  readonly key: string;
  readonly start: string;
  readonly isInherited: boolean;
  readonly write: Writer;
}

/**
 * Compiles the selection of an operation: it picks, orders and checks what was fetched. Object types are compiled
 * lazily, when data of them first arrives; `grow` gets each field that is then kept.
 */
export function compileProjection(
  schema: GraphQLSchema,
  reading: Reading,
  root: { readonly type: GraphQLCompositeType; readonly selectionSet: SelectionSetNode },
  grow: (fields: number) => void,
): Projection {
  function shapeOf(type: GraphQLCompositeType, selectionSets: readonly SelectionSetNode[]): readonly WrittenField[] {
    const collected = collectFields(reading, type.name, selectionSets);
    grow(collected.size);
    return [...collected].map(([responseKey, nodes], index) => {
      const key = nodes[0] ? reading.keyOf(nodes[0]) : responseKey;
      return {
        key,
        start: `${index === 0 ? '' : ','}${JSON.stringify(responseKey)}:`,
        isInherited: isInherited(key),
        write: fieldWriter(type, nodes),
      };
    });
  }

  function fieldWriter(parent: GraphQLCompositeType, nodes: readonly FieldNode[]): Writer {
    const name = nodes[0]?.name.value ?? '';
    // An object whose concrete type is unknown becomes null.
    if (name === '__typename') return isAbstractType(parent) ? () => undefined : () => `"${parent.name}"`;
    if (name === '__schema' || name === '__type') return (_value, writing) => writing.introspect(nodes);
    const field = 'getFields' in parent ? parent.getFields()[name] : undefined;
    if (!field) throw new Error(`${parent.name} has no field ${name}`);
    return typeWriter(
      field.type,
      nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
    );
  }

  function typeWriter(type: GraphQLOutputType, selectionSets: readonly SelectionSetNode[]): Writer {
    if (isNonNullType(type)) return notNull(typeWriter(type.ofType, selectionSets));
    if (isListType(type)) return listWriter(typeWriter(type.ofType, selectionSets));
    if (isLeafType(type)) {
      const write = leafWriter(type);
      return (value, writing) => (value === null || value === undefined ? 'null' : (write(value) ?? fault(writing)));
    }
    return isAbstractType(type) ? abstractWriter(type, selectionSets) : objectWriter(type, selectionSets);
  }

  function objectWriter(type: GraphQLCompositeType, selectionSets: readonly SelectionSetNode[]): Writer {
    let shape: readonly WrittenField[] | undefined;
    return (value, writing) => {
      if (value === null || value === undefined) return 'null';
      if (!isData(value)) return fault(writing);
      shape ??= shapeOf(type, selectionSets);
      return writeObject(value, shape, writing) ?? 'null';
    };
  }

  function abstractWriter(type: GraphQLCompositeType, selectionSets: readonly SelectionSetNode[]): Writer {
    const writers = new Map<string, Writer>();
    return (value, writing) => {
      if (value === null || value === undefined) return 'null';
      if (!isData(value)) return fault(writing);
      const typeName = ownMember(value, '__typename') ?? type.name;
      let write = typeof typeName === 'string' ? writers.get(typeName) : undefined;
      if (!write) {
        const actual = typeof typeName === 'string' ? schema.getType(typeName) : undefined;
        if (!actual || !('getFields' in actual || isAbstractType(actual)) || !reading.fits(type.name, actual.name))
          return fault(writing);
        write = objectWriter(actual as GraphQLCompositeType, selectionSets);
        writers.set(actual.name, write);
      }
      return write(value, writing);
    };
  }

  let rootShape: readonly WrittenField[] | undefined;
  return (data, writing) => {
    rootShape ??= shapeOf(root.type, [root.selectionSet]);
    return writeObject(data, rootShape, writing) ?? 'null';
  };
}

function fault(writing: Writing): 'null' {
  writing.incomplete = true;
  return 'null';
}

const notNull =
  (write: Writer): Writer =>
  (value, writing) => {
    const text = write(value, writing);
    if (text !== 'null') return text;
    writing.incomplete = true;
    return undefined;
  };

const listWriter =
  (write: Writer): Writer =>
  (value, writing) => {
    if (value === null || value === undefined) return 'null';
    if (!Array.isArray(value)) return fault(writing);
    let text = '[';
    let isNull = false;
    for (let index = 0; index < value.length; index += 1) {
      const part = write(value[index], writing);
      if (part === undefined) isNull = true;
      else text += index === 0 ? part : `,${part}`;
    }
    return isNull ? 'null' : `${text}]`;
  };

function writeObject(data: Data, shape: readonly WrittenField[], writing: Writing): string | undefined {
  let text = '{';
  for (const field of shape) {
    const part = field.write(field.isInherited ? ownMember(data, field.key) : data[field.key], writing);
    if (part === undefined) return undefined;
    text += field.start + part;
  }
  return `${text}}`;
}

/** The JSON text of a non-null leaf; undefined when the value is not of the type. */
type LeafWriter = (value: unknown) => string | undefined;

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

function leafWriter(type: GraphQLLeafType): LeafWriter {
  if (isEnumType(type)) {
    const texts = new Map(type.getValues().map(({ name }) => [name, `"${name}"`]));
    return (value) => texts.get(value as string);
  }
  const known = isSpecifiedScalarType(type) ? writers[type.name] : undefined;
  return known ?? ((value) => (typeof value === 'string' ? quoted(value) : JSON.stringify(value)));
}

import type { FieldNode, ValueNode } from 'graphql';
import { Kind } from 'graphql';
import { valueIn } from './conditions';
import type { Variables } from './conditions';
import { limits } from './limits';
import type { SelectedField } from './selected-field';

/** Where a page size is written: the name of a variable, or the field itself. */
export type SizeSource = string | FieldNode;

/** A hypothetical page size for some places, for finding a size that fits. */
export interface AssumedSize {
  readonly sources: ReadonlySet<SizeSource>;
  readonly size: number;
}

/** Why a connection has no page size. */
export type SizeFault =
  | { readonly kind: 'missing' | 'both'; readonly field: SelectedField; readonly source: SizeSource }
  | {
      readonly kind: 'out of range';
      readonly field: SelectedField;
      readonly source: SizeSource;
      readonly argument: 'first' | 'last';
      readonly value: number;
    };

/** The page size of a connection, or why it has none. `variables` are coerced, with defaults. */
export function pageSizeOf(field: SelectedField, variables: Variables, assumed?: AssumedSize): number | SizeFault {
  if (assumed && assumed.sources.has(sourceOf(field, variables))) return assumed.size;
  const first = argumentOf(field, 'first', variables);
  const last = argumentOf(field, 'last', variables);
  const size = first ?? last;
  if (size !== undefined && (first === undefined || last === undefined) && isPageSize(size)) return size;
  const source = sourceOf(field, variables);
  if (size === undefined) return { kind: 'missing', field, source };
  if (first !== undefined && last !== undefined) return { kind: 'both', field, source };
  return { kind: 'out of range', field, source, argument: first === undefined ? 'last' : 'first', value: size };
}

/** What to change for another page size of `field`: a variable, or the field's argument. */
export function sourceOf(field: SelectedField, variables: Variables): SizeSource {
  const named = (['first', 'last'] as const).filter((name) => givenTo(field, name)?.kind === Kind.VARIABLE);
  const name = named.find((each) => argumentOf(field, each, variables) !== undefined) ?? named[0];
  const given = name && givenTo(field, name);
  return given?.kind === Kind.VARIABLE ? given.name.value : field.node;
}

const isPageSize = (size: number): boolean => Number.isInteger(size) && size >= 1 && size <= limits.pageSize;

/** The value of an argument; null counts as not given, as it does for resolvers. */
function argumentOf(field: SelectedField, name: string, variables: Variables): number | undefined {
  const given = givenTo(field, name);
  const value = given && valueOf(given, variables);
  const effective = value === undefined ? defaultOf(field, name) : value;
  return effective === null || effective === undefined ? undefined : Number(effective);
}

const givenTo = (field: SelectedField, name: string): ValueNode | undefined =>
  field.node.arguments?.find((argument) => argument.name.value === name)?.value;

function valueOf(node: ValueNode, variables: Variables): unknown {
  if (node.kind === Kind.VARIABLE) return valueIn(variables, node.name.value);
  return node.kind === Kind.INT ? Number(node.value) : null;
}

const defaultOf = (field: SelectedField, name: string): unknown =>
  field.definition?.args.find((argument) => argument.name === name)?.defaultValue;

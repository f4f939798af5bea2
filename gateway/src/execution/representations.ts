import type { QueryPlanSelectionNode } from '@apollo/query-planner';
import { quoted } from './json-text';
import type { Data } from './response-data';
import { isData, mergeInto, ownMember, setMember } from './response-data';
import type { FitsType } from './type-names';

/** The representation by which a service finds an object; null when the object lacks a key. */
export type Represent = (source: Data) => Data | null;

/** Compiles the `requires` of a fetch: what it takes from an object (Apollo Federation, "Entities"). */
export function compileRequires(selections: readonly QueryPlanSelectionNode[], fits: FitsType): Represent {
  const parts = selections.map((selection) => compileSelection(selection, fits));
  return (source) => {
    const result: Data = {};
    for (const addTo of parts) if (!addTo(source, result)) return null;
    return result;
  };
}

/** An entity key of a single field, as most types have. */
export interface SimpleKey {
  readonly typeName: string;
  readonly member: string;
  /** The JSON text of the representation. */
  readonly textOf: (value: string) => string;
}

/** The required key, when it is a single field. */
export function simpleKeyIn(requires: readonly QueryPlanSelectionNode[]): SimpleKey | undefined {
  const [fragment] = requires;
  if (requires.length !== 1 || fragment?.kind !== 'InlineFragment' || fragment.typeCondition === undefined)
    return undefined;
  const { typeCondition: typeName, selections } = fragment;
  const members = selections.map((field) => (isPlainField(field) ? field.name : undefined));
  const [first, member] = members;
  if (members.length !== 2 || first !== '__typename' || member === undefined) return undefined;
  const start = `{"__typename":${JSON.stringify(typeName)},${JSON.stringify(member)}:`;
  return { typeName, member, textOf: (value) => `${start}${quoted(value)}}` };
}

const isPlainField = (
  selection: QueryPlanSelectionNode,
): selection is Extract<QueryPlanSelectionNode, { kind: 'Field' }> =>
  selection.kind === 'Field' && selection.alias === undefined && selection.selections === undefined;

/** Adds required members to a representation; false when one is missing, whose error has been reported already. */
type Addition = (source: Data, result: Data) => boolean;

function compileSelection(selection: QueryPlanSelectionNode, fits: FitsType): Addition {
  if (selection.kind === 'Field') return compileField(selection, fits);
  const { typeCondition, selections } = selection;
  if (typeCondition === undefined) return () => true;
  const represent = compileRequires(selections, fits);
  return (source, result) => {
    const typeName = ownMember(source, '__typename');
    const part = typeof typeName === 'string' && fits(typeCondition, typeName) ? represent(source) : null;
    if (part) mergeInto(result, part);
    return true;
  };
}

function compileField(
  { name, alias, selections }: Extract<QueryPlanSelectionNode, { kind: 'Field' }>,
  fits: FitsType,
): Addition {
  const key = alias ?? name;
  const represent = selections && compileRequires(selections, fits);
  const valueOf = (value: unknown): unknown => (isData(value) && represent ? represent(value) : value);
  return (source, result) => {
    const value = ownMember(source, key);
    if (value === undefined) return false;
    setMember(result, key, Array.isArray(value) ? value.map(valueOf) : valueOf(value));
    return true;
  };
}

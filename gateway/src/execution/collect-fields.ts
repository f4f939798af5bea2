import { Kind } from 'graphql';
import type { DirectiveNode, DocumentNode, FieldNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql';
import type { FitsType } from './type-names';

/** The context for collecting the fields of one operation and its variables. */
export interface Reading {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly fits: FitsType;
  /** The values of the variables that `@skip` and `@include` use. */
  readonly conditions: Readonly<Record<string, unknown>>;
  /** The key under which a field was fetched. */
  readonly keyOf: (field: FieldNode) => string;
}

/** The fields of an object of that type by response key (GraphQL, "Field Collection"). */
export function collectFields(
  reading: Reading,
  typeName: string,
  selectionSets: readonly SelectionSetNode[],
): ReadonlyMap<string, readonly FieldNode[]> {
  const fields = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  const addAll = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (!isIncluded(selection.directives, reading)) continue;
      if (selection.kind === Kind.FIELD) addField(fields, selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) addFragment(selection);
      else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = reading.fragments.get(selection.name.value);
        if (fragment) addFragment(fragment);
      }
    }
  };
  const addFragment = (fragment: Pick<FragmentDefinitionNode, 'selectionSet'> & FragmentCondition): void => {
    const condition = fragment.typeCondition?.name.value;
    if (condition === undefined || reading.fits(condition, typeName)) addAll(fragment.selectionSet);
  };
  selectionSets.forEach(addAll);
  return fields;
}

export const fragmentsOf = (document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> =>
  new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );

interface FragmentCondition {
  readonly typeCondition?: { readonly name: { readonly value: string } } | undefined;
}

function addField(fields: Map<string, FieldNode[]>, field: FieldNode): void {
  const key = field.alias?.value ?? field.name.value;
  const same = fields.get(key);
  if (same) same.push(field);
  else fields.set(key, [field]);
}

const isIncluded = (directives: readonly DirectiveNode[] = [], reading: Reading): boolean =>
  directives.every(({ name, arguments: given }) => {
    if (name.value !== 'skip' && name.value !== 'include') return true;
    const value = given?.[0]?.value;
    const holds =
      value?.kind === Kind.VARIABLE
        ? reading.conditions[value.name.value]
        : value?.kind === Kind.BOOLEAN && value.value;
    return (name.value === 'include') === (holds === true);
  });

import type { TadaDocumentNode } from 'gql.tada';
import type { FieldDescription, TypeDescription } from '@itsm/shared/declared/description';

type Selection = Readonly<Record<string, unknown>>;
interface Definition {
  readonly kind: string;
  readonly name?: { readonly value: string };
  readonly typeCondition?: { readonly name: { readonly value: string } };
  readonly selectionSet: { readonly selections: readonly { readonly name?: { readonly value: string } }[] };
}

/** The document with the settings of `type` added to the fragment, unless a fragment on the type has them. */
export function withSettings<Data, Variables>(
  document: TadaDocumentNode<Data, Variables>,
  fragment: string,
  type: TypeDescription,
): TadaDocumentNode<Data, Variables> {
  const definitions = document.definitions as unknown as readonly Definition[];
  const known = definitions
    .filter(({ typeCondition }) => typeCondition?.name.value === type.graphqlName)
    .flatMap(({ selectionSet }) => selectionSet.selections.map(({ name }) => name?.value));
  const added = type.fields.filter(({ name, has }) => !known.includes(has ?? name)).flatMap(selectionOf);
  const extended = definitions.map((one) =>
    one.name?.value === fragment && one.kind === 'FragmentDefinition'
      ? { ...one, selectionSet: { ...one.selectionSet, selections: [...one.selectionSet.selections, ...added] } }
      : one,
  );
  return { ...document, definitions: extended } as unknown as TadaDocumentNode<Data, Variables>;
}

const field = (name: string, within: readonly Selection[] = []): Selection => ({
  kind: 'Field',
  name: { kind: 'Name', value: name },
  ...(within.length > 0 && { selectionSet: { kind: 'SelectionSet', selections: within } }),
});

/** Of lists of records, and of values with a form of their own, a form must know the members. */
function selectionOf({ name, kind, has, many, writeOnly }: FieldDescription): readonly Selection[] {
  if (writeOnly || kind === 'shape' || kind === 'derived') return [];
  if (kind === 'reference') return many ? [] : [field(name, [field('id')])];
  return kind === 'account' ? [field(name, [field('id')])] : [field(has ?? name)];
}

import { parse } from '@0no-co/graphql.web';
import type { TadaDocumentNode } from 'gql.tada';
import type { FieldDescription, TypeDescription } from '@itsm/shared/declared/description';
import { filterFields, usualView } from './list-search';

/** Records of a type that refer to another record in one of their fields. */
export interface Neighbours {
  readonly type: TypeDescription;
  readonly field: FieldDescription;
  /** What they are called: "Requests", or "Requests · Requested for" where the type refers to it in several fields. */
  readonly label: string;
}

/** The lists of records that refer to a record of the type. */
export function neighboursOf(graphqlName: string, types: readonly TypeDescription[]): readonly Neighbours[] {
  return types
    .filter(({ rootField, orders }) => rootField !== undefined && orders.length > 0)
    .flatMap((type) => {
      // An administered type has no list of its own by which it could be filtered here.
      const fields = type.columns
        ? filterFields(type).filter(({ refersTo, many }) => refersTo === graphqlName && !many)
        : [];
      return fields.map((field) => ({
        type,
        field,
        label: fields.length > 1 ? `${type.labelPlural} · ${field.label}` : type.labelPlural,
      }));
    });
}

type Counted = Readonly<Record<string, { readonly totalCount: number } | null>>;

/** How many of each there are, in the view in which a list is shown first: `count0` for the first. */
export function countsOfNeighbours(
  neighbours: readonly Neighbours[],
): TadaDocumentNode<Counted, { readonly id: string }> {
  const counts = neighbours.map(
    ({ type, field }, at) =>
      `count${at}: ${type.rootField}(first: 1, view: ${usualView(type)}, filter: { ${field.name}: { values: [$id] } }) { totalCount }`,
  );
  return parse(`query neighbourCounts($id: ID!) { ${counts.join(' ')} }`, { noLocation: true });
}

import { parse } from '@0no-co/graphql.web';
import type { TadaDocumentNode } from 'gql.tada';
import type { TypeDescription } from '@itsm/shared/declared/description';
import type { Connection } from '../api/pages';
import { choosableColumns } from './chosen-columns';
import type { Asked } from './list-search';

/** A record in a list: its fields in their GraphQL form. */
export type ListedRecord = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly updatedAt: string;
};

/** A record that another one refers to. */
export interface Named {
  readonly number: number;
  readonly title: string;
}

type Document<Data, Variables> = TadaDocumentNode<Data, Variables>;
type Selected = Pick<Asked, 'view' | 'filter'>;
interface Variables extends Asked {
  readonly first: number;
  readonly after?: string | null;
}

interface Listed {
  readonly records: Connection<ListedRecord> | null;
}
interface Counted {
  readonly records: { readonly totalCount: number } | null;
}

// Their names begin as those of mutations do, so that a write makes them old.
const declared = ({ graphqlName }: TypeDescription): string =>
  `$view: ${graphqlName}View, $filter: ${graphqlName}Filter`;

/** The page of a list with all columns of its type; `types` name the titles of what it refers to. */
export function listOf(type: TypeDescription, types: readonly TypeDescription[]): Document<Listed, Variables> {
  // All that can be chosen, so that there is one text for a type, however its columns are chosen.
  const columns = choosableColumns(type).map(({ name, refersTo }) => {
    if (refersTo === undefined) return name;
    const { title = 'id' } = types.find(({ graphqlName }) => graphqlName === refersTo) ?? {};
    return `${name} { number title: ${title} }`;
  });
  return parse(
    `query ${type.member}List($first: Int!, $after: String, ${declared(type)}, $order: [${type.graphqlName}Order!]) {
      records: ${type.rootField}(first: $first, after: $after, view: $view, filter: $filter, order: $order) {
        totalCount
        pageInfo { hasNextPage endCursor }
        nodes { id number title: ${type.title} ${columns.join(' ')} }
      }
    }`,
    { noLocation: true },
  );
}

/** How many records a list has. */
export const countOf = (type: TypeDescription): Document<Counted, Selected> =>
  parse(
    `query ${type.member}Count(${declared(type)}) {
      records: ${type.rootField}(first: 1, view: $view, filter: $filter) { totalCount }
    }`,
    { noLocation: true },
  );

/** How many records each of some lists has: `count0` for the first. A list that takes too long has none. */
export function countsOf(
  type: TypeDescription,
  lists: number,
): Document<Readonly<Record<string, Counted['records']>>, Readonly<Record<string, unknown>>> {
  const { member, graphqlName, rootField } = type;
  const numbers = Array.from({ length: lists }, (_, index) => index);
  const variables = numbers.map((at) => `$view${at}: ${graphqlName}View, $filter${at}: ${graphqlName}Filter`);
  const counts = numbers.map(
    (at) => `count${at}: ${rootField}(first: 1, view: $view${at}, filter: $filter${at}) { totalCount }`,
  );
  return parse(`query ${member}Counts(${variables.join(', ')}) { ${counts.join(' ')} }`, { noLocation: true });
}

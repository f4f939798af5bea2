import { parse } from '@0no-co/graphql.web';
import type { TadaDocumentNode } from 'gql.tada';
import type { TypeDescription } from '@itsm/shared/declared/description';

interface Found {
  readonly number: number;
  readonly title: string;
  readonly note?: string | null;
}
interface Choices {
  readonly all: { readonly nodes: readonly Found[] } | null;
  readonly found: { readonly nodes: readonly Found[] } | null;
}

type ChoicesDocument = TadaDocumentNode<Choices, { readonly query: string | null }>;

/** A document for the choice, of names that the description of the type has. */
export function choicesOf({ graphqlName, rootField, title = 'id', fields, orders }: TypeDescription): ChoicesDocument {
  const has = (name: string): boolean => fields.some((field) => field.name === name);
  const enabled = fields.some(({ name, filterable }) => name === 'disabled' && filterable) ? 'disabled: false' : '';
  const order = orders.includes(title) ? `, order: [{ field: ${title} }]` : '';
  const nodes = `nodes { number title: ${title} ${has('primaryEmail') ? 'note: primaryEmail' : ''} }`;
  const text = `query ${graphqlName}Choices($query: String) {
    all: ${rootField}(first: 100${enabled === '' ? '' : `, filter: { ${enabled} }`}${order}) { ${nodes} }
    found: ${rootField}(first: 20, filter: { ${enabled} query: $query }) { ${nodes} }
  }`;
  return parse(text, { noLocation: true });
}

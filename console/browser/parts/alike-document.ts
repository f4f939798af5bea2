import { parse } from '@0no-co/graphql.web';
import type { TadaDocumentNode } from 'gql.tada';
import type { TypeDescription } from '@itsm/shared/declared/description';

interface Alike {
  readonly records: {
    readonly nodes: readonly { readonly number: number; readonly title: string; readonly status: string }[];
  } | null;
}

const mostShown = 3;

/** Open records of a type whose title has the words; for types that have open ones. */
export function alikeOf({
  member,
  rootField,
  title,
}: Pick<TypeDescription, 'member' | 'rootField' | 'title'>): TadaDocumentNode<Alike, { readonly query: string }> {
  const text = `query ${member}Alike($query: String!) {
    records: ${rootField}(first: ${mostShown}, view: open, filter: { query: $query }) { nodes { number title: ${title} status } }
  }`;
  return parse(text, { noLocation: true });
}

/** The words by which a title is compared: its two longest, of three letters at least. Short ones are in every title. */
export function comparedWords(title: string): string {
  const words = title.match(/[\p{L}\p{M}\p{N}]{3,}/gu) ?? [];
  const longest = [...new Set(words)].sort((a, b) => b.length - a.length).slice(0, 2);
  return longest.join(' ');
}

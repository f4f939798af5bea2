import { valueFromASTUntyped } from 'graphql';
import { isSelected } from './conditions';
import type { Variables } from './conditions';
import type { SelectedField } from './selected-field';

/**
 * Requests that a filter adds to those of its connection, by the database's work: a look-up per value, an index scan
 * for words and ranges, no index for negations, and a scan of all matches for a count (docs/api/graphql.md, "What a
 * call costs").
 */
export const searchPrices = { value: 1, range: 20, words: 100, negation: 500, count: 100 } as const;

/**
 * The requests for a field that counts by hours or days: it is no connection, but like every count it reads all
 * matches.
 */
export const countRequestsOf = ({ node }: SelectedField): number =>
  node.arguments?.some(({ name }) => name.value === 'bucket') ? searchPrices.count : 0;

/** The requests that the `filter` of a connection adds; 0 without one. */
export function searchRequestsOf(field: SelectedField, variables: Variables): number {
  const given = field.node.arguments?.find(({ name }) => name.value === 'filter')?.value;
  if (!given) return 0;
  const filter: unknown = valueFromASTUntyped(given, variables);
  const parts = isMap(filter) ? Object.entries(filter).filter(([, part]) => (part ?? null) !== null) : [];
  if (parts.length === 0) return 0;
  const counted = [...field.children.values()].some(
    ({ node, occurrences }) => node.name.value === 'totalCount' && isSelected(occurrences, variables),
  );
  return parts.reduce((sum, [name, part]) => sum + priceOf(name, part), counted ? searchPrices.count : 0);
}

function priceOf(name: string, part: unknown): number {
  if (name === 'query') return searchPrices.words;
  if (!isMap(part)) return searchPrices.value;
  const { values, negate } = part;
  if (values === undefined) return searchPrices.range;
  // GraphQL coerces a single value to a list of one.
  const length = Array.isArray(values) ? values.length : 1;
  return length * searchPrices.value + (negate === true ? searchPrices.negation : 0);
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

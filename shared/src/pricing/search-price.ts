import { valueFromASTUntyped } from 'graphql';
import { isSelected } from './conditions';
import type { Variables } from './conditions';
import { choicesOf } from './filter-choices';
import type { SelectedField } from './selected-field';

/**
 * Requests that a filter adds to those of its connection, for work that grows with the data of the account. A filter
 * that one index answers adds none, and neither does a count over it (docs/api/graphql.md, "What a call costs").
 */
export const searchPrices = { value: 1, furtherCondition: 20, words: 100, negation: 500, count: 100 } as const;

/** Values of a condition, and filtered counts of a call, that are free: more of them are more look-ups and scans. */
export const freeOfCharge = { values: 10, counts: 10 } as const;

/**
 * The requests for a field that counts by hours or days: it is no connection, and it reads all that happened in that
 * time.
 */
export const countRequestsOf = ({ node }: SelectedField): number =>
  node.arguments?.some(({ name }) => name.value === 'bucket') ? searchPrices.count : 0;

/** The requests that the filter of a connection adds, which is fetched `factor` times; 0 without one. */
export type SearchPricing = (field: SelectedField, factor: number) => number;

/** Prices the connections of one call one by one. The sum does not depend on their order. */
export function createSearchPricing(variables: Variables): SearchPricing {
  let counts = 0;

  /** The price of `factor` more counts over an index. */
  function furtherCounts(factor: number): number {
    const before = Math.max(0, counts - freeOfCharge.counts);
    counts += factor;
    return (Math.max(0, counts - freeOfCharge.counts) - before) * searchPrices.count;
  }

  return (field, factor) => {
    const parts = partsOf(field, variables);
    if (parts.length === 0) return 0;
    const { growing, values } = workOf(parts, choicesOf(field.definition));
    const requests = factor * (growing + values * searchPrices.value);
    if (!isCounted(field, variables)) return requests;
    return requests + (growing > 0 ? factor * searchPrices.count : furtherCounts(factor));
  };
}

type Part = readonly [name: string, part: unknown];

function partsOf({ node }: SelectedField, variables: Variables): Part[] {
  const given = node.arguments?.find(({ name }) => name.value === 'filter')?.value;
  const filter: unknown = given && valueFromASTUntyped(given, variables);
  return isMap(filter) ? Object.entries(filter).filter(([, part]) => (part ?? null) !== null) : [];
}

const isCounted = ({ children }: SelectedField, variables: Variables): boolean =>
  [...children.values()].some(
    ({ node, occurrences }) => node.name.value === 'totalCount' && isSelected(occurrences, variables),
  );

/** The requests for work that grows with the account, and the number of values that are not free. */
function workOf(
  parts: readonly Part[],
  isChoice: (name: string) => boolean,
): { readonly growing: number; readonly values: number } {
  let [growing, values] = [0, 0];
  // Each is one broad range of an index. Choices share one index, also when negated: the others are as good.
  const broad = new Set<string>();
  for (const [name, part] of parts) {
    if (name === 'query') growing += searchPrices.words;
    else if (isChoice(name)) broad.add('choices');
    else if (!isMap(part) || part['values'] === undefined) broad.add(name);
    else {
      values += Math.max(0, lengthOf(part['values']) - freeOfCharge.values);
      if (part['negate'] === true) growing += searchPrices.negation;
      if (boundsOf(part).length > 0) broad.add(name);
    }
  }
  return { growing: growing + Math.max(0, broad.size - 1) * searchPrices.furtherCondition, values };
}

/** GraphQL coerces a single value to a list of one. */
const lengthOf = (values: unknown): number => (Array.isArray(values) ? values.length : 1);

const boundsOf = (part: Record<string, unknown>): string[] =>
  Object.keys(part).filter((name) => name !== 'values' && name !== 'negate');

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

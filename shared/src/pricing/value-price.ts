import { isSelected } from './conditions';
import type { Variables } from './conditions';
import type { SelectedField, SelectedFields } from './selected-field';

/**
 * Values of an answer that the requests of its connections pay for: so many of each node, and so many of the call
 * beyond them. Each further `perRequest` cost a request. A value takes the services and the gateway about 5 µs, so a
 * point buys as much of their time in values as it does in pages (docs/api/graphql.md, "What a call costs").
 */
const valuePrices = { ofNode: 2, ofCall: 10_000, perRequest: 100 } as const;

/** The requests for the values of a connection that is fetched `times` times and has `nodes` nodes in all. */
export type ValuePricing = (field: SelectedField, times: number, nodes: number) => number;

/** Prices the connections of one call one by one. The sum does not depend on their order. */
export function createValuePricing(variables: Variables): ValuePricing {
  let values = 0;
  const priceOf = (all: number): number => Math.floor(Math.max(0, all - valuePrices.ofCall) / valuePrices.perRequest);

  return (field, times, nodes) => {
    const before = priceOf(values);
    const own = valuesIn(field.children, { once: times, each: nodes }, variables);
    values += Math.max(0, own - nodes * valuePrices.ofNode);
    return priceOf(values) - before;
  };
}

/** How often a field is in the answer: beside the nodes of a connection, or in each of them. */
interface Times {
  readonly once: number;
  readonly each: number;
}

/**
 * Counts fields without a selection, down to the next connection: that has a price of its own. A list without a page
 * size counts once, since such lists are short.
 */
function valuesIn(fields: SelectedFields, { once, each }: Times, variables: Variables): number {
  let values = 0;
  for (const field of fields.values()) {
    if (field.isConnection || !isSelected(field.occurrences, variables)) continue;
    const times = isList(field) ? each : once;
    if (field.children.size === 0) values += times;
    else values += valuesIn(field.children, { once: times, each: times }, variables);
  }
  return values;
}

const isList = ({ node }: SelectedField): boolean => node.name.value === 'nodes' || node.name.value === 'edges';

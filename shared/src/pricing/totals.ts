import type { FieldNode } from 'graphql';
import { isSelected } from './conditions';
import type { Variables } from './conditions';
import { limits } from './limits';
import { pageSizeOf } from './page-size';
import type { AssumedSize, SizeFault } from './page-size';
import { createRepeatedValues } from './repetitions';
import type { RepeatedValues } from './repetitions';
import { countRequestsOf, createSearchPricing } from './search-price';
import type { SearchPricing } from './search-price';
import type { SelectedField, SelectedFields } from './selected-field';
import { createValuePricing } from './value-price';
import type { ValuePricing } from './value-price';

/** The totals of a call (spec: Limits). */
export interface Totals {
  depth: number;
  nodes: number;
  requests: number;
  /** The first field below the deepest permitted level. */
  deepest: FieldNode | undefined;
  readonly repeated: RepeatedValues;
  readonly faults: SizeFault[];
}

/** Adds up the fields for given variables; `assumed` replaces the page sizes at its places. */
export function addUp(fields: SelectedFields, variables: Variables, assumed?: AssumedSize): Totals {
  const totals: Totals = {
    depth: 0,
    nodes: 0,
    requests: 0,
    deepest: undefined,
    repeated: createRepeatedValues(),
    faults: [],
  };
  add(
    totals,
    fields,
    { factor: 1, depth: 1, repeated: false },
    { variables, assumed, search: createSearchPricing(variables), values: createValuePricing(variables) },
  );
  return totals;
}

/**
 * `factor` is the product of the page sizes above; `repeated` is true below a repetition, up to the next connection.
 */
interface Place {
  readonly factor: number;
  readonly depth: number;
  readonly repeated: boolean;
}

interface Given {
  readonly variables: Variables;
  readonly assumed: AssumedSize | undefined;
  readonly search: SearchPricing;
  readonly values: ValuePricing;
}

function add(totals: Totals, fields: SelectedFields, at: Place, given: Given): void {
  const countRepetition = totals.repeated.at(at.factor);
  for (const field of fields.values()) {
    if (!isSelected(field.occurrences, given.variables)) continue;
    const repeated = countRepetition(field.node, at.repeated);
    if (at.depth > totals.depth && !field.isIntrospection) {
      totals.depth = at.depth;
      if (at.depth === limits.depth + 1) totals.deepest = field.node;
    }
    if (field.isRateLimit) totals.requests = saturate(totals.requests + 1);
    totals.requests = saturate(totals.requests + at.factor * countRequestsOf(field));
    const factor = field.isConnection ? addConnection(totals, field, at.factor, given) : at.factor * field.length;
    // Beyond a connection, the limit of nodes applies instead.
    add(totals, field.children, { factor, depth: at.depth + 1, repeated: repeated && !field.isConnection }, given);
  }
}

function addConnection(totals: Totals, field: SelectedField, factor: number, given: Given): number {
  const size = pageSizeOf(field, given.variables, given.assumed);
  if (typeof size !== 'number') {
    totals.faults.push(size);
    return factor;
  }
  const nodes = saturate(factor * size);
  totals.requests = saturate(
    totals.requests + factor + given.search(field, factor) + given.values(field, factor, nodes),
  );
  totals.nodes = saturate(totals.nodes + nodes);
  return nodes;
}

const saturate = (value: number): number => Math.min(value, Number.MAX_SAFE_INTEGER);

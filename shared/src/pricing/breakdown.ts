import { isSelected } from './conditions';
import type { Variables } from './conditions';
import { positionOf } from './limit-error';
import { pageSizeOf } from './page-size';
import { createSearchPricing } from './search-price';
import type { SearchPricing } from './search-price';
import type { SelectedField, SelectedFields } from './selected-field';
import { createValuePricing } from './value-price';
import type { ValuePricing } from './value-price';

/** The share of one connection in a price: the `requests` to fill it, and its maximum of `nodes`. */
export interface ConnectionPrice {
  /** The response keys down to the connection, joined by dots. */
  readonly path: string;
  readonly field: string;
  readonly line: number;
  readonly column: number;
  readonly pageSize: number;
  readonly requests: number;
  readonly nodes: number;
}

export interface PricedConnection extends ConnectionPrice {
  readonly selected: SelectedField;
}

/** All connections of the call in document order; one without a page size is priced as one node. */
export function priceConnections(fields: SelectedFields, variables: Variables): PricedConnection[] {
  const found: PricedConnection[] = [];
  collect(
    found,
    fields,
    { path: '', factor: 1 },
    {
      variables,
      search: createSearchPricing(variables),
      values: createValuePricing(variables),
    },
  );
  return found;
}

interface Place {
  readonly path: string;
  readonly factor: number;
}

interface Given {
  readonly variables: Variables;
  readonly search: SearchPricing;
  readonly values: ValuePricing;
}

function collect(found: PricedConnection[], fields: SelectedFields, at: Place, given: Given): void {
  const { variables, search, values } = given;
  for (const selected of fields.values()) {
    if (!isSelected(selected.occurrences, variables)) continue;
    const { node } = selected;
    const path = `${at.path}${node.alias?.value ?? node.name.value}`;
    const pageSize = selected.isConnection ? sizeOf(selected, variables) : 1;
    const factor = at.factor * pageSize;
    if (selected.isConnection) {
      const { line, column } = positionOf(node) ?? { line: 0, column: 0 };
      const field = node.name.value;
      const requests = at.factor + search(selected, at.factor) + values(selected, at.factor, factor);
      found.push({ path, field, line, column, pageSize, requests, nodes: factor, selected });
    }
    collect(found, selected.children, { path: `${path}.`, factor }, given);
  }
}

function sizeOf(field: SelectedField, variables: Variables): number {
  const size = pageSizeOf(field, variables);
  return typeof size === 'number' ? size : 1;
}

import { badRequest } from '../../base/errors/app-error';
import { parseList } from './query-parameters';
import type { Resource, SortValue } from './resource';

/** One step of a sort order; `property` is its name in the record, `field` in REST. */
export interface OrderStep {
  readonly field: string;
  readonly property: string;
  readonly descending: boolean;
}

/**
 * Parses `sort=-status,id`. `id` is appended as the tie-breaker in the direction of the last step, so that an index
 * serves the order, read forwards or backwards. 400 for unlisted fields.
 */
export function parseOrder<T extends { readonly id: number | string }, V>(
  resource: Resource<T, V>,
  text: string | undefined,
): readonly OrderStep[] {
  const asked = (parseList(text) ?? []).map((name) =>
    name.startsWith('-') ? { field: name.slice(1), descending: true } : { field: name, descending: false },
  );
  const refused = asked.filter(({ field }) => field !== 'id' && !Object.hasOwn(resource.sortable, field));
  if (refused.length > 0)
    throw badRequest(`Sorting not allowed on fields: ${refused.map(({ field }) => field).join(', ')}`);
  const steps = [...asked, { field: 'id', descending: asked.at(-1)?.descending ?? false }];
  return steps
    .filter((step, index) => steps.findIndex(({ field }) => field === step.field) === index)
    .map((step) => ({ ...step, property: resource.sortable[step.field] ?? 'id' }));
}

/** The sort key of a record: one value per step. */
export const keyOf = (order: readonly OrderStep[], record: object): SortValue[] =>
  order.map(({ property }) => (record as Record<string, SortValue | undefined>)[property] ?? null);

/** Compares two sort keys as the store does: `null` first, then by value. */
export function compareKeys(order: readonly OrderStep[], a: readonly SortValue[], b: readonly SortValue[]): number {
  for (const [index, { descending }] of order.entries()) {
    const difference = compareValues(a[index] ?? null, b[index] ?? null);
    if (difference !== 0) return descending ? -difference : difference;
  }
  return 0;
}

function compareValues(a: SortValue, b: SortValue): number {
  const [left, right] = [comparable(a), comparable(b)];
  if (left === null || right === null) return Number(right === null) - Number(left === null);
  return left < right ? -1 : left > right ? 1 : 0;
}

const comparable = (value: SortValue): string | number | null =>
  value instanceof Date ? value.getTime() : typeof value === 'boolean' ? Number(value) : value;

import { badRequest } from '@itsm/shared/base/errors/app-error';
import { compareKeys } from '@itsm/shared/api/rest/order';
import type { OrderStep } from '@itsm/shared/api/rest/order';
import type { SortValue } from '@itsm/shared/api/rest/resource';
import { keyOf } from './record-indexes';
import { pathOf } from './record-selection';
import type { Field, RecordType } from '../record-types/record-type';

/** A place in an order: one value per step, the id last. */
export type Place = readonly SortValue[];

type Where = Record<string, unknown>;

/** The key of the index that a query is to use, as an option. */
export interface Hint {
  readonly hint?: Readonly<Record<string, 1 | -1>>;
}

/** Records that the store reads in one go, in an order of their own. */
interface Part {
  readonly where: Where;
  readonly order: readonly OrderStep[];
}

export const reversed = (order: readonly OrderStep[]): OrderStep[] =>
  order.map((step) => ({ ...step, descending: !step.descending }));

/** The store's sort. */
export const sortOf = (order: readonly OrderStep[]): Record<string, 1 | -1> =>
  Object.fromEntries(order.map(({ property, descending }) => [pathOf(property), descending ? -1 : 1]));

/** Whether an index, read from one end, gives the order. */
function isIndexed(type: RecordType, order: readonly OrderStep[]): boolean {
  const properties = order.slice(0, -1).map(({ property }) => property);
  const [first, second] = properties;
  const together = type.indexedTogether?.some(([one, other]) => one === first && other === second);
  const hasIndex = properties.length < 2 || (properties.length === 2 && together === true);
  return hasIndex && new Set(order.map(({ descending }) => descending)).size === 1;
}

/** The index that gives a served order, as a whole or part by part, as an option of a query. */
export const alongOrder = (order: readonly OrderStep[]): Hint => ({
  hint: keyOf(order.slice(0, -1).map(({ property }) => property)),
});

/** The values of the first step in turn, when each of them leads to records that an index has in the order of the other steps. */
function valuesInTurn(type: RecordType, order: readonly OrderStep[]): SortValue[] | undefined {
  const [first, ...others] = order;
  const field = type.fields.find(({ name }) => name === first?.property);
  if (!first || field?.kind !== 'choice' || isIndexed(type, order)) return undefined;
  // The same index serves one direction of the others as well as the other, whatever comes first.
  const along = others.map(({ descending }) => descending);
  const sameWay = others.length > 0 && along.every((descending) => descending === along[0]);
  if (!sameWay || !isIndexed(type, [{ ...first, descending: along[0] === true }, ...others])) return undefined;
  const values = [null, ...[...field.choices].sort()];
  return first.descending ? values.reverse() : values;
}

/** Whether pages of the order cost the same however many records there are. */
export const isServed = (type: RecordType, order: readonly OrderStep[]): boolean =>
  isIndexed(type, order) || valuesInTurn(type, order) !== undefined;

/**
 * What comes after `place`, or everything, in parts to be read one after the other. In a served order each is one range of an
 * index, so a page deep down costs what the first one costs. Records without a value come first, as in the store.
 */
export function partsOf(type: RecordType, order: readonly OrderStep[], place: Place | undefined): Part[] {
  if (place) checkPlace(type, order, place);
  const values = valuesInTurn(type, order);
  const [first, ...others] = order;
  if (!values || !first) return (place ? beyond(type, order, place) : [{}]).map((where) => ({ where, order }));
  const start = place?.slice(0, 1);
  return values.flatMap((value) => {
    const position = start ? compareKeys([first], [value], start) : 1;
    if (position < 0) return [];
    const wheres = position === 0 && place ? beyond(type, others, place.slice(1)) : [{}];
    return wheres.map((where) => ({ where: { [pathOf(first.property)]: value, ...where }, order: others }));
  });
}

/** The closest first: those that differ from the place in the last step alone. */
const beyond = (type: RecordType, order: readonly OrderStep[], place: Place): Where[] =>
  order
    .map((step, depth) => {
      const ties = order.slice(0, depth).map(({ property }, n) => [pathOf(property), place[n] ?? null] as const);
      return further(type, step, place[depth] ?? null).map((where) => ({ ...Object.fromEntries(ties), ...where }));
    })
    .reverse()
    .flat();

function further(type: RecordType, { property, descending }: OrderStep, value: SortValue): Where[] {
  const path = pathOf(property);
  if (value === null) return descending ? [] : [{ [path]: { $gte: leastOf(fieldOf(type, property)) } }];
  if (!descending) return [{ [path]: { $gt: value } }];
  const less = { [path]: { $lt: value } };
  return fieldOf(type, property) ? [less, { [path]: null }] : [less];
}

const fieldOf = (type: RecordType, property: string): Field | undefined =>
  type.fields.find(({ name }) => name === property);

/** Less than every value of a field, but more than no value. */
function leastOf(field: Field | undefined): string | number | Date {
  if (!field || field.kind === 'timestamp' || field.kind === 'date') return new Date(-8.64e15);
  return field.kind === 'text' || field.kind === 'choice' || field.kind === 'account' ? '' : -Number.MAX_VALUE;
}

/** A cursor that was made by hand may hold values of other kinds. */
function checkPlace(type: RecordType, order: readonly OrderStep[], place: Place): void {
  const fits = order.every(({ property }, index) => {
    const value = place[index];
    if (property === 'id') return Number.isSafeInteger(value);
    const field = fieldOf(type, property);
    return (value === null && field !== undefined) || typeof value === typeof leastOf(field);
  });
  if (!fits) throw badRequest('The cursor is not one of this collection');
}

import { badRequest } from '@itsm/shared/base/errors/app-error';
import { compareKeys } from '@itsm/shared/api/rest/order';
import type { OrderStep } from '@itsm/shared/api/rest/order';
import type { SortValue } from '@itsm/shared/api/rest/resource';
import type { Condition } from '@itsm/shared/api/rest/filter';
import { keyOf } from './record-indexes';
import { pathOf } from './record-selection';
import type { Field } from '@itsm/shared/declared/language';
import type { RecordType } from '../record-types/record-type';

/** A position in an order: one value per step, the id last. */
export type Place = readonly SortValue[];

type Where = Record<string, unknown>;

/** The `hint` option of a query: the key of the index to use. */
export interface Hint {
  readonly hint?: Readonly<Record<string, 1 | -1>>;
}

/** A range of records that one query reads, in its own order. */
interface Part {
  readonly where: Where;
  readonly order: readonly OrderStep[];
}

export const reversed = (order: readonly OrderStep[]): OrderStep[] =>
  order.map((step) => ({ ...step, descending: !step.descending }));

/** The order as a sort of the store. */
export const sortOf = (order: readonly OrderStep[]): Record<string, 1 | -1> =>
  Object.fromEntries(order.map(({ property, descending }) => [pathOf(property), descending ? -1 : 1]));

/** Whether a single index, read in one direction, provides the order. */
function isIndexed(type: RecordType, order: readonly OrderStep[]): boolean {
  const properties = order.slice(0, -1).map(({ property }) => property);
  const [first, second] = properties;
  const together = type.indexedTogether?.some(([one, other]) => one === first && other === second);
  const hasIndex = properties.length < 2 || (properties.length === 2 && together === true);
  return hasIndex && new Set(order.map(({ descending }) => descending)).size === 1;
}

export const isById = (order: readonly OrderStep[]): boolean => order[0]?.property === 'id';

/**
 * The key of the index that provides an order, at once or range by range, if possible within the values of a
 * condition.
 */
export function alongOrder(
  { indexedTogether = [] }: RecordType,
  order: readonly OrderStep[],
  conditions: readonly Condition[],
): Readonly<Record<string, 1>> {
  const properties = order.slice(0, -1).map(({ property }) => property);
  const [first, ...others] = properties;
  const found = conditions.filter((condition) => 'in' in condition).map(({ property }) => property);
  const within = indexedTogether.find(([filter, by]) => by === first && found.includes(filter));
  return keyOf(within && others.length === 0 ? within : properties);
}

/**
 * The values of a leading choice field, in order, when an index provides the order of the other steps within each
 * value; undefined otherwise.
 */
function valuesInTurn(type: RecordType, order: readonly OrderStep[]): SortValue[] | undefined {
  const [first, ...others] = order;
  const field = type.fields.find(({ name }) => name === first?.property);
  if (!first || field?.kind !== 'choice' || isIndexed(type, order)) return undefined;
  // An index can be read in both directions, so the direction of the first step does not matter here.
  const along = others.map(({ descending }) => descending);
  const sameWay = others.length > 0 && along.every((descending) => descending === along[0]);
  if (!sameWay || !isIndexed(type, [{ ...first, descending: along[0] === true }, ...others])) return undefined;
  const values = [null, ...[...field.choices].sort()];
  return first.descending ? values.reverse() : values;
}

/** Whether an index provides the order, so that the cost of a page does not grow with the number of records. */
export const isServed = (type: RecordType, order: readonly OrderStep[]): boolean =>
  isIndexed(type, order) || valuesInTurn(type, order) !== undefined;

/**
 * The records after `place` (or all), as ranges that are read one after another. In an order that an index provides,
 * each is one index range, so a deep page costs as much as the first. Records without a value come first, as in the
 * store.
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

/** Ranges after the place, nearest first: those that differ from it in the last step only. */
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

/** The minimum of a field's values, which is above null. */
function leastOf(field: Field | undefined): string | number | Date {
  if (!field || field.kind === 'timestamp' || field.kind === 'date') return new Date(-8.64e15);
  return field.kind === 'text' || field.kind === 'choice' || field.kind === 'account' ? '' : -Number.MAX_VALUE;
}

/** Refuses a forged cursor with values of other types. */
function checkPlace(type: RecordType, order: readonly OrderStep[], place: Place): void {
  const fits = order.every(({ property }, index) => {
    const value = place[index];
    if (property === 'id') return Number.isSafeInteger(value);
    const field = fieldOf(type, property);
    return (value === null && field !== undefined) || typeof value === typeof leastOf(field);
  });
  if (!fits) throw badRequest('The cursor is not one of this collection');
}

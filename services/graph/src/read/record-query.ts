import { badRequest } from '@itsm/shared/base/errors/app-error';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import { checkOrderFields, mostOrderFields } from '@itsm/shared/api/graphql/list-arguments';
import { mostFilterValues } from '@itsm/shared/api/rest/filter';
import type { Bounds, Condition } from '@itsm/shared/api/rest/filter';
import type { OrderStep } from '@itsm/shared/api/rest/order';
import { parseValue } from '@itsm/shared/declared/read-value';
import { wordsOfQuery } from '@itsm/shared/base/texts/words';
import { customKeyOf, customKeys, hasCustomFields } from '../store/custom-keys';
import type { Selection } from '../store/record-selection';
import { inputName } from '@itsm/shared/declared/names';
import { customPrefix } from '../record-types/fields';
import { numberName } from '../record-types/record-type';
import type { Field } from '@itsm/shared/declared/language';
import type { RecordType } from '../record-types/record-type';

type Scalar = string | number | boolean | Date | null;

/** A member of the argument `filter.customFilters`. */
interface CustomFilter {
  readonly name: string;
  readonly values: readonly string[];
  readonly negate?: boolean | null;
}

/** The `filter` argument of a root connection. */
export type FilterArgument = Readonly<Record<string, FilterMember>> & {
  readonly customFilters?: readonly CustomFilter[] | null;
};
type FilterMember = FilterValue | string | boolean | null | undefined;

interface FilterValue {
  readonly values?: readonly Scalar[] | null;
  readonly negate?: boolean | null;
  readonly lessThan?: number | Date | null;
  readonly lessThanOrEqualTo?: number | Date | null;
  readonly greaterThan?: number | Date | null;
  readonly greaterThanOrEqualTo?: number | Date | null;
}

export type OrderArgument = readonly { readonly field: string; readonly direction?: 'asc' | 'desc' | null }[];

const moments: readonly Field[] = [
  { name: 'createdAt', label: 'Created at', kind: 'timestamp' },
  { name: 'updatedAt', label: 'Updated at', kind: 'timestamp' },
];
const maxQueryLength = 128;
const mostCustomFilters = 20;

export const filterNames = (type: RecordType): string[] =>
  type.fields.filter(({ filterable }) => filterable).map(({ name }) => name);

export const orderNames = (type: RecordType): string[] => [
  'id',
  'createdAt',
  'updatedAt',
  ...type.fields.filter(({ sortable }) => sortable).map(({ name }) => name),
];

/** The filters by a record's own id: each takes node ids and numbers. */
export const identityNames = (type: RecordType): string[] => ['id', numberName(type)];

/** Parses the filter; throws a 400 when it is invalid. */
export function parseFilter(
  type: RecordType,
  nodeIdDomain: string,
  filter: FilterArgument | null | undefined,
): Pick<Selection, 'conditions' | 'words'> {
  if (!filter) return { conditions: [] };
  const names = filterNames(type);
  const fields = [...type.fields.filter(({ name }) => names.includes(name)), ...moments];
  const conditions = [
    ...identityNames(type).flatMap((name) => toIdCondition(type, nodeIdDomain, name, filter[name])),
    ...fields.flatMap((field) => toConditions(field, nodeIdDomain, filter[field.name])),
    ...customConditions(filter.customFilters),
  ];
  const words = parseWords(filter['query']);
  return { conditions, ...(words && { words }) };
}

/** What is no id of the type is the id of no record. */
function toIdCondition(type: RecordType, nodeIdDomain: string, name: string, given: FilterMember): Condition[] {
  if (typeof given !== 'object' || !given?.values) return [];
  const { values, negate } = given;
  checkCount(name, values);
  const ids = values.flatMap((value) => parseRecordId(nodeIdDomain, type.graphqlName, String(value)) ?? []);
  return [{ property: 'id', ...(negate ? { notIn: ids } : { in: ids }) }];
}

function toConditions(field: Field, nodeIdDomain: string, given: FilterMember): Condition[] {
  const property = field.name;
  if (given === null || given === undefined || typeof given === 'string') return [];
  if (typeof given === 'boolean') return [{ property, in: [given] }];
  const { values, negate, lessThan, lessThanOrEqualTo, greaterThan, greaterThanOrEqualTo } = given;
  const bounds = { lt: lessThan, lte: lessThanOrEqualTo, gt: greaterThan, gte: greaterThanOrEqualTo };
  const within = Object.fromEntries(Object.entries(bounds).filter(([, bound]) => (bound ?? null) !== null)) as Bounds;
  const parsed = values && parseValues(field, nodeIdDomain, values);
  return [
    ...(parsed ? [negate ? { property, notIn: parsed } : { property, in: parsed }] : []),
    ...(Object.keys(within).length > 0 ? [{ property, within }] : []),
  ];
}

function parseValues(field: Field, nodeIdDomain: string, values: readonly Scalar[]): Scalar[] {
  checkCount(field.name, values);
  const one: Field = field.kind === 'people' ? { ...field, kind: 'person' } : field;
  return values.map((value) => {
    const parsed = value === null ? { value } : parseValue(one, nodeIdDomain, value);
    if ('problem' in parsed) throw badRequest(`filter.${field.name}: ${inputName(field)} ${parsed.problem}`);
    return parsed.value as Scalar;
  });
}

function checkCount(name: string, values: readonly Scalar[]): void {
  if (values.length > mostFilterValues) throw badRequest(`filter.${name} has more than ${mostFilterValues} values`);
}

function parseWords(query: FilterMember): readonly string[] | undefined {
  if (typeof query !== 'string' || query.trim() === '') return undefined;
  if (query.length > maxQueryLength) throw badRequest(`filter.query is longer than ${maxQueryLength} characters`);
  return wordsOfQuery(query);
}

/**
 * The requested steps, and the id as a tie-breaker: in the direction of the last step, unless the client ordered by id
 * itself.
 */
export function parseOrder(order: OrderArgument | null | undefined): OrderStep[] {
  const asked = (order ?? []).map(({ field, direction }) => ({
    field,
    property: field,
    descending: direction === 'desc',
  }));
  checkOrderFields(asked);
  const doubled = asked.find(({ field }, index) => asked.findIndex((step) => step.field === field) !== index);
  if (doubled) throw badRequest(`\`order\` names ${doubled.field} twice`);
  return untilId(asked);
}

/** The order of a REST collection, which always ends with the id; `idAsked` when the client ordered by id. */
export function toRecordOrder(order: readonly OrderStep[], idAsked: boolean): OrderStep[] {
  const asked = order.filter(({ property }) => idAsked || property !== 'id');
  if (asked.length > mostOrderFields) throw badRequest(`sort takes at most ${mostOrderFields} fields`);
  return untilId(asked);
}

/** Cuts off steps after the id: ids are unique, so later steps have no effect. */
function untilId(steps: readonly OrderStep[]): OrderStep[] {
  const position = steps.findIndex(({ property }) => property === 'id');
  if (position >= 0) return steps.slice(0, position + 1);
  return [...steps, { field: 'id', property: 'id', descending: steps.at(-1)?.descending ?? false }];
}

/** The conditions on custom fields; 400 for too many. An id that no form has is that of no record. */
function customConditions(filters: readonly CustomFilter[] | null | undefined): Condition[] {
  if (!filters) return [];
  if (filters.length > mostCustomFilters)
    throw badRequest(`filter.customFilters has more than ${mostCustomFilters} members`);
  return filters.map(({ name, values, negate }) => {
    if (values.length > mostFilterValues)
      throw badRequest(`filter.customFilters: ${name.slice(0, 80)} has more than ${mostFilterValues} values`);
    const keys = values.map((value) => customKeyOf(name, value));
    return { property: customKeys, ...(negate ? { notIn: keys } : { in: keys }) };
  });
}

/** The parameters of a URL that filter a list of the type by custom fields: `custom_fields.<id>`. */
export const customParameters = (type: RecordType, parameters: ReadonlyMap<string, string>): readonly string[] =>
  hasCustomFields(type) ? [...parameters.keys()].filter((name) => name.startsWith(customPrefix)) : [];

/**
 * The conditions of `customParameters`: `v`, `a,b` or `!v`, as filters of texts. 400 without a value, since records without
 * one are in no index.
 */
export function parseCustomParameters(type: RecordType, parameters: ReadonlyMap<string, string>): Condition[] {
  const names = customParameters(type, parameters);
  if (names.length > mostCustomFilters) throw badRequest(`More than ${mostCustomFilters} filters by custom fields`);
  const filters = names.map((parameter) => {
    const text = parameters.get(parameter) ?? '';
    const negate = text.startsWith('!');
    const values = (negate ? text.slice(1) : text).split(',');
    if (values.includes('') || /^[<>]/.test(text))
      throw badRequest(`${parameter} cannot be filtered by ${text.slice(0, 100)}`);
    if (values.length > mostFilterValues)
      throw badRequest(`${parameter} cannot be filtered by more than ${mostFilterValues} values`);
    return { name: parameter.slice(customPrefix.length), values, negate };
  });
  return customConditions(filters);
}

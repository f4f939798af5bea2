import { badRequest } from '../../base/errors/app-error';
import { mostFilterValues } from '../rest/filter';
import type { Condition } from '../rest/filter';
import type { OrderStep } from '../rest/order';
import type { SortValue } from '../rest/resource';

/** Allowed values; `null` matches a missing value. */
interface ValueFilter {
  readonly values: readonly SortValue[];
  readonly negate?: boolean | null;
}

interface RangeFilter {
  readonly lessThan?: Date | number | null;
  readonly lessThanOrEqualTo?: Date | number | null;
  readonly greaterThan?: Date | number | null;
  readonly greaterThanOrEqualTo?: Date | number | null;
}

type Part = boolean | ValueFilter | RangeFilter | null;

/** The arguments of a root connection; the members of `filter` and `order` have the names of the record's properties. */
export interface ListArguments {
  readonly filter?: Readonly<Record<string, Part>> | null;
  readonly order?: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[] | null;
  readonly view?: string | null;
}

/** The conditions of `filter`, all of which must hold. */
export const toConditions = ({ filter }: ListArguments): readonly Condition[] =>
  Object.entries(filter ?? {}).flatMap(([property, part]) => (part === null ? [] : toCondition(property, part)));

function toCondition(property: string, part: Exclude<Part, null>): Condition[] {
  if (typeof part === 'boolean') return [{ property, in: [part] }];
  if ('values' in part && part.values.length > mostFilterValues)
    throw badRequest(`filter.${property} has more than ${mostFilterValues} values`);
  if ('values' in part) return [part.negate ? { property, notIn: part.values } : { property, in: part.values }];
  const { lessThan, lessThanOrEqualTo, greaterThan, greaterThanOrEqualTo } = part;
  const bounds = { lt: lessThan, lte: lessThanOrEqualTo, gt: greaterThan, gte: greaterThanOrEqualTo };
  const given = Object.entries(bounds).filter(([, bound]) => bound != null);
  return given.length === 0 ? [] : [{ property, within: Object.fromEntries(given) }];
}

/** The limit of fields in `order`. */
export const mostOrderFields = 3;

export function checkOrderFields(fields: readonly unknown[]): void {
  if (fields.length > mostOrderFields) throw badRequest(`\`order\` takes at most ${mostOrderFields} fields`);
}

/** The steps of `order`, with ascending id as the tie-breaker, so that the order is total. */
export function toOrder({ order }: ListArguments): readonly OrderStep[] {
  const asked = order ?? [];
  checkOrderFields(asked);
  return [...asked, { field: 'id', direction: 'asc' as const }]
    .filter((step, index, all) => all.findIndex(({ field }) => field === step.field) === index)
    .map(({ field, direction }) => ({ field, property: field, descending: direction === 'desc' }));
}

/** The view that every list has. */
export const wholeList = { name: 'current_account', description: 'Everything in the current account.' } as const;

/** SDL of the values of the argument `view`. */
export const viewValues = (
  views: readonly { readonly name: string; readonly description: string }[] = [wholeList],
): string => views.map(({ name, description }) => `\n${JSON.stringify(description)} ${name}`).join('');

/**
 * SDL of the filters and orders of a root connection over `record`, and of its views. All names start with it, so that
 * subgraphs do not clash.
 */
export const listTypeDefs = (
  record: string,
  filter: string,
  orderFields: string,
  views = viewValues(),
): string => /* GraphQL */ `
  enum ${record}View {${views}
  }

  enum ${record}OrderField { ${orderFields} }

  enum ${record}OrderDirection { asc desc }

  input ${record}Order {
    field: ${record}OrderField!
    direction: ${record}OrderDirection = asc
  }

  input ${record}TextFilter {
    "Alternatives; null stands for no value."
    values: [String]!
    negate: Boolean = false
  }

  input ${record}TimestampFilter {
    lessThan: ISO8601Timestamp
    lessThanOrEqualTo: ISO8601Timestamp
    greaterThan: ISO8601Timestamp
    greaterThanOrEqualTo: ISO8601Timestamp
  }

  "All parts must hold."
  input ${record}Filter { ${filter} }
`;

/** The argument `order` of a root connection, for interpolation into SDL. */
export const orderArgument = (record: string): string =>
  `"At most ${mostOrderFields} fields." order: [${record}Order!]`;

/** The other arguments of a root connection. */
export const listArguments = (record: string): string =>
  `view: ${record}View = current_account, filter: ${record}Filter, ${orderArgument(record)}`;

import { badRequest } from '@itsm/shared/base/errors/app-error';
import { mostFilterValues } from '@itsm/shared/api/rest/filter';
import type { Condition } from '@itsm/shared/api/rest/filter';
import { customKeyOf, customKeys } from '../store/custom-keys';

/** A member of the argument `filter.customFilters`. */
export interface CustomFilter {
  readonly name: string;
  readonly values: readonly string[];
  readonly negate?: boolean | null;
}

const mostFilters = 20;

/** The conditions on custom fields; 400 for too many. An id that no form has is that of no record. */
export function customConditions(filters: readonly CustomFilter[] | null | undefined): Condition[] {
  if (!filters) return [];
  if (filters.length > mostFilters) throw badRequest(`filter.customFilters has more than ${mostFilters} members`);
  return filters.map(({ name, values, negate }) => {
    if (values.length > mostFilterValues)
      throw badRequest(`filter.customFilters: ${name.slice(0, 80)} has more than ${mostFilterValues} values`);
    const keys = values.map((value) => customKeyOf(name, value));
    return { property: customKeys, ...(negate ? { notIn: keys } : { in: keys }) };
  });
}

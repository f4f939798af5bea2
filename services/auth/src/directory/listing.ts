import { badRequest } from '@itsm/shared/base/errors/app-error';
import type { ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import { toConditions, toOrder } from '@itsm/shared/api/graphql/list-arguments';
import type { ListArguments } from '@itsm/shared/api/graphql/list-arguments';
import type { Condition } from '@itsm/shared/api/rest/filter';
import type { OrderStep } from '@itsm/shared/api/rest/order';
import type { SortValue } from '@itsm/shared/api/rest/resource';
import { wordsOf } from '@itsm/shared/base/texts/words';

type Filter = NonNullable<ListArguments['filter']>;

/** The arguments of a root connection of auth. */
export interface ListingArgs extends ConnectionArgs, Pick<ListArguments, 'order'> {
  readonly filter?: (Omit<Filter, 'query'> & { readonly query?: string | null }) | null;
}

/** What is to be read, by the properties of the record; `words` must all occur in it. */
export interface Listing {
  readonly order: readonly OrderStep[];
  readonly filter: readonly Condition[];
  readonly words: readonly string[];
}

const mostValues = 100;
const longestQuery = 128;

/** `idOf` turns the id of a node into that of the record; undefined for what is none. Throws a 400 for what cannot be meant. */
export function toListing(args: ListingArgs, idOf: (nodeId: string) => SortValue | undefined): Listing {
  const { query, ...parts } = args.filter ?? {};
  if (query != null && query.length > longestQuery) {
    throw badRequest(`filter.query is longer than ${longestQuery} characters`);
  }
  const order = args.order ?? null;
  return {
    order: toOrder({ order }),
    filter: toConditions({ filter: parts }).map((condition) => toStored(checked(condition), idOf)),
    words: wordsOf(query ?? ''),
  };
}

function checked(condition: Condition): Condition {
  const values = 'in' in condition ? condition.in : 'notIn' in condition ? condition.notIn : [];
  if (values.length > mostValues) {
    throw badRequest(`filter.${condition.property} has more than ${mostValues} values`);
  }
  return condition;
}

function toStored(condition: Condition, idOf: (nodeId: string) => SortValue | undefined): Condition {
  if (condition.property === 'disabled') return whenDisabled(condition);
  if (condition.property !== 'id') return condition;
  const numbers = (values: readonly SortValue[]) => values.flatMap((value) => idOf(String(value)) ?? []);
  if ('in' in condition) return { property: 'id', in: numbers(condition.in) };
  return 'notIn' in condition ? { property: 'id', notIn: numbers(condition.notIn) } : condition;
}

/** Whether something is disabled is kept as the time since when. */
export function whenDisabled(condition: Condition): Condition {
  const property = 'disabledAt';
  const negated = 'notIn' in condition;
  const values = 'in' in condition ? condition.in : negated ? condition.notIn : [];
  const wanted = [true, false].filter((value) => values.includes(value) !== negated);
  if (wanted.length === 2) return { property, notIn: [] };
  if (wanted.length === 0) return { property, in: [] };
  return wanted[0] ? { property, notIn: [null] } : { property, in: [null] };
}

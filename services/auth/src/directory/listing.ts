import { badRequest } from '@itsm/shared/base/errors/app-error';
import type { ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import { toConditions, toOrder } from '@itsm/shared/api/graphql/list-arguments';
import type { ListArguments } from '@itsm/shared/api/graphql/list-arguments';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { loadSortedConnection } from '@itsm/shared/api/graphql/sorted-connection';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import type { Condition } from '@itsm/shared/api/rest/filter';
import type { SortValue } from '@itsm/shared/api/rest/resource';
import { actionOf, conditionsOfView } from '@itsm/shared/declared/edits';
import type { Edits, Identified } from '@itsm/shared/declared/edits';
import type { Declaration } from '@itsm/shared/declared/language';
import { hasEvery, partsOf, wordsOfQuery } from '@itsm/shared/base/texts/words';

type Filter = NonNullable<ListArguments['filter']>;

/** The arguments of a root connection of auth. */
export interface ListingArgs extends ConnectionArgs, Pick<ListArguments, 'order' | 'view'> {
  readonly filter?: (Omit<Filter, 'query'> & { readonly query?: string | null }) | null;
}

/** The id of a record, from its node id; undefined for anything else. */
type IdOf = (nodeId: string) => SortValue | undefined;

const mostValues = 100;
const longestQuery = 128;

/** A root field that returns a page of a list. Throws a 400 for invalid arguments. */
export const listing = <D extends Declaration, T extends Identified>(
  type: D,
  { list, viewed }: Pick<Edits<D, T>, 'list' | 'viewed'>,
  idOf: IdOf,
) =>
  allowed<ListingArgs>(
    actionOf(type, 'Read'),
    async (_parent, args, { caller }) => {
      const { words, filter, order } = toListing(args, idOf);
      const [source, viewing] = await Promise.all([
        list(caller, words),
        conditionsOfView(type, { viewed }, caller, args.view ?? ''),
      ]);
      const within = viewing.map((condition) => toStored(condition, idOf));
      return loadSortedConnection(args, { source, order, filter: [...within, ...filter], fields: ['*'] });
    },
    ...(type.readers ?? []),
  );

function toListing({ filter, order = null }: ListingArgs, idOf: IdOf) {
  const { query, ...parts } = filter ?? {};
  if (query != null && query.length > longestQuery) {
    throw badRequest(`filter.query is longer than ${longestQuery} characters`);
  }
  return {
    order: toOrder({ order }),
    filter: toConditions({ filter: parts }).map((condition) => toStored(checked(condition), idOf)),
    words: wordsOfQuery(query ?? ''),
  };
}

function checked(condition: Condition): Condition {
  const values = 'in' in condition ? condition.in : 'notIn' in condition ? condition.notIn : [];
  if (values.length > mostValues) {
    throw badRequest(`filter.${condition.property} has more than ${mostValues} values`);
  }
  return condition;
}

function toStored(condition: Condition, idOf: IdOf): Condition {
  if (condition.property === 'disabled') return whenDisabled(condition);
  if (condition.property !== 'id') return condition;
  const numbers = (values: readonly SortValue[]) => values.flatMap((value) => idOf(String(value)) ?? []);
  if ('in' in condition) return { property: 'id', in: numbers(condition.in) };
  return 'notIn' in condition ? { property: 'id', notIn: numbers(condition.notIn) } : condition;
}

/** Converts a condition on `disabled` to the stored time `disabledAt`. */
export function whenDisabled(condition: Condition): Condition {
  const property = 'disabledAt';
  const negated = 'notIn' in condition;
  const values = 'in' in condition ? condition.in : negated ? condition.notIn : [];
  const wanted = [true, false].filter((value) => values.includes(value) !== negated);
  if (wanted.length === 2) return { property, notIn: [] };
  if (wanted.length === 0) return { property, in: [] };
  return wanted[0] ? { property, notIn: [null] } : { property, in: [null] };
}

/** A source that also accepts REST's condition `disabled`. */
export function withDisabledFilter<T>(source: CollectionSource<T>): CollectionSource<T> {
  const stored = (filter: readonly Condition[]) =>
    filter.map((condition) => (condition.property === 'disabled' ? whenDisabled(condition) : condition));
  return {
    read: ({ filter = [], ...query }) => source.read({ ...query, filter: stored(filter) }),
    count: (filter = []) => source.count(stored(filter)),
  };
}

/** Whether the texts have all of these words, or parts of words that begin with them. */
export const hasWords = (words: readonly string[], ...texts: readonly string[]): boolean =>
  hasEvery(partsOf(texts.join(' ')), words);

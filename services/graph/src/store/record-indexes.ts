import type { Condition } from '@itsm/shared/api/rest/filter';
import { pathOf, sharedAs } from './record-selection';
import { ownersOf } from '../record-types/record-type';
import type { RecordType } from '../record-types/record-type';

export interface Index {
  readonly name: string;
  readonly key: Record<string, 1 | -1>;
  readonly unique?: true;
  readonly partialFilterExpression?: object;
}

/** The unique index on `source` and `sourceID` within an account. */
export const sourceIndex = 'account_source';

/** The index on words in titles. */
export const wordKey = { accountId: 1, words: 1, _id: 1 } as const;

/** `account_status_updatedAt`; the one name that is taken gets a suffix. */
function nameOf(properties: readonly string[]): string {
  const name = ['account', ...properties].join('_');
  return name === sourceIndex ? `${name}_alone` : name;
}

/** The key of the index on these properties within an account. */
export const keyOf = (properties: readonly string[]): Record<string, 1> => ({
  accountId: 1,
  ...Object.fromEntries(properties.map((name) => [pathOf(name), 1])),
  _id: 1,
});

/** The properties with a single-field index. */
const indexedAlone = (type: RecordType): string[] => [
  'createdAt',
  'updatedAt',
  ...type.fields
    .filter((field) => field.filterable ?? field.sortable ?? ('inverse' in field && field.inverse))
    .map(({ name }) => name),
];

/** The key of an index in which the matches of a condition are one range; undefined when there is none, as for negations. */
export const keyOfCondition = (type: RecordType, condition: Condition): Record<string, 1> | undefined =>
  indexedAlone(type).includes(condition.property) && !('notIn' in condition) ? keyOf([condition.property]) : undefined;

const ownersKey = { accountId: 1, owners: 1, _id: 1 } as const;

/** The key of the owners index, for types whose records have owners. */
export const keyOfOwners = (type: RecordType): typeof ownersKey | undefined =>
  ownersOf(type).length > 0 ? ownersKey : undefined;

/**
 * The indexes for all filters, orders, views and relations of a declaration; each ends with the id, which pagination
 * needs.
 */
export function indexesOf(type: RecordType): Index[] {
  const own = (...properties: string[]): Index => ({ name: nameOf(properties), key: keyOf(properties) });
  const onlySourced = { 'values.source': { $type: 'string' }, 'values.sourceID': { $type: 'string' } };
  return [
    own(),
    ...indexedAlone(type).map((name) => own(name)),
    ...(type.indexedTogether ?? []).map(([filter, order]) => own(filter, order)),
    ...(keyOfOwners(type) ? [{ name: 'account_owners', key: ownersKey }] : []),
    { name: 'account_words', key: wordKey },
    ...sharedAs(type).map(({ name }): Index => ({ name, key: { [pathOf(name)]: 1, accountId: 1, _id: 1 } })),
    {
      name: sourceIndex,
      key: { accountId: 1, 'values.source': 1, 'values.sourceID': 1 },
      unique: true,
      partialFilterExpression: onlySourced,
    },
  ];
}

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

/** The index that keeps `source` and `sourceID` unique within an account. */
export const sourceIndex = 'account_source';

/** The index of the words in titles. */
export const wordKey = { accountId: 1, words: 1, _id: 1 } as const;

/** `account_status_updatedAt`; the one name that is taken gets a tail. */
function nameOf(properties: readonly string[]): string {
  const name = ['account', ...properties].join('_');
  return name === sourceIndex ? `${name}_alone` : name;
}

/** The key of the index in which the records of an account stand by these properties. */
export const keyOf = (properties: readonly string[]): Record<string, 1> => ({
  accountId: 1,
  ...Object.fromEntries(properties.map((name) => [pathOf(name), 1])),
  _id: 1,
});

/** The properties that have an index of their own. */
const indexedAlone = (type: RecordType): string[] => [
  'createdAt',
  'updatedAt',
  ...type.fields
    .filter((field) => field.filterable ?? field.sortable ?? ('inverse' in field && field.inverse))
    .map(({ name }) => name),
];

/** The key of the index that has the records of a condition together; those without one of some values stand all over it. */
export const keyOfCondition = (type: RecordType, condition: Condition): Record<string, 1> | undefined =>
  indexedAlone(type).includes(condition.property) && !('notIn' in condition) ? keyOf([condition.property]) : undefined;

const ownersKey = { accountId: 1, owners: 1, _id: 1 } as const;

/** The key of the index of owners, for types whose records have them. */
export const keyOfOwners = (type: RecordType): typeof ownersKey | undefined =>
  ownersOf(type).length > 0 ? ownersKey : undefined;

/** One index for every filter, order, view and relation of a declaration; all end in the id, which pages go by. */
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

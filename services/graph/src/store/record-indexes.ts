import { pathOf, sharedAs } from './record-selection';
import { customKeys, hasCustomFields } from './custom-keys';
import { choicesOf, choicesOfReferences, isChoice } from '../record-types/choices';
import { ownersOf } from '../record-types/record-type';
import type { Field } from '@itsm/shared/declared/language';
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

/** The index on records that the counts do not contain as they are. */
export const uncountedKey = { uncounted: 1, accountId: 1, _id: 1 } as const;

/** The index on entries of the archive and of the trash. */
export const entryKey = { accountId: 1, 'aside.entry': 1 } as const;

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

const isReference = ({ kind }: Field): boolean => kind === 'person' || kind === 'people' || kind === 'record';

/** References by which an account has long lists: to a person, and to a team where that is a view. */
const isOfMany = (type: RecordType, { name, kind }: Field): boolean =>
  kind === 'person' || (name === 'team' && type.views.includes('assigned_to_my_team'));

const names = (fields: readonly { readonly name: string }[]): string[] => fields.map(({ name }) => name);

/**
 * The properties of each index that serves filters, in the order of its key. Of several choices one index serves every
 * combination, and a second one all without those that clients order by: the values of the others are listed, so that
 * MongoDB merges some ranges in order of the id.
 */
export function filterIndexesOf(type: RecordType): readonly (readonly string[])[] {
  const choices = choicesOf(type);
  const references = type.fields.filter((field) => field.filterable && isReference(field));
  const inverse = type.fields.filter((field) => 'inverse' in field && field.inverse !== undefined);
  const others = type.fields.filter((field) => {
    return field.sortable ?? (field.filterable && !isReference(field) && !isChoice(field));
  });
  const all = [
    ...names(others).map((name) => [name]),
    ...names(inverse).map((name) => [name]),
    ...references.map((field) => [field.name, ...(isOfMany(type, field) ? names(choicesOfReferences(type)) : [])]),
    ...(ownersOf(type).length > 0 ? [['owners'], ['owners', ...names(choicesOfReferences(type))]] : []),
    hasCustomFields(type) ? [customKeys] : [],
    names(choices),
    names(choices.filter(({ sortable }) => !sortable)),
  ];
  const byName = new Map(all.filter(({ length }) => length > 0).map((properties) => [nameOf(properties), properties]));
  return [...byName.values()];
}

/**
 * The indexes for all filters, orders, views and relations of a declaration; each ends with the id, which pagination
 * needs.
 */
export function indexesOf(type: RecordType): Index[] {
  const own = (...properties: string[]): Index => ({
    name: nameOf(properties),
    key: keyOf(properties),
    // Most records have no custom fields.
    ...(properties[0] === customKeys && { partialFilterExpression: { [customKeys]: { $type: 'string' } } }),
  });
  const onlySourced = { 'values.source': { $type: 'string' }, 'values.sourceID': { $type: 'string' } };
  return [
    own(),
    own('createdAt'),
    own('updatedAt'),
    ...filterIndexesOf(type).map((properties) => own(...properties)),
    ...(type.indexedTogether ?? []).map(([filter, order]) => own(filter, order)),
    { name: 'account_words', key: wordKey },
    { name: 'uncounted', key: uncountedKey, partialFilterExpression: { uncounted: true } },
    { name: 'account_entry', key: entryKey, partialFilterExpression: { 'aside.entry': { $exists: true } } },
    {
      name: 'set_aside',
      key: { 'aside.state': 1, 'aside.at': 1, _id: 1 },
      partialFilterExpression: { 'aside.at': { $exists: true } },
    },
    ...sharedAs(type).map(({ name }): Index => ({ name, key: { [pathOf(name)]: 1, accountId: 1, _id: 1 } })),
    {
      name: sourceIndex,
      key: { accountId: 1, 'values.source': 1, 'values.sourceID': 1 },
      unique: true,
      partialFilterExpression: onlySourced,
    },
  ];
}

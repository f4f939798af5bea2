import type { DerivedField, Kind, StoredField } from './language';

/** `projectTask`: the member of payloads, and the prefix of mutation names. */
export const memberName = ({ graphqlName, member }: Pick<Kind, 'graphqlName'> & { readonly member?: string }): string =>
  member ?? graphqlName.charAt(0).toLowerCase() + graphqlName.slice(1);

/** `projectTasks`: the root field of the connection, unless the declaration names another. */
export const rootField = ({ plural, rootField: own }: Pick<Kind, 'plural'> & { readonly rootField?: string }): string =>
  own ?? plural.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

const inputSuffix: Partial<Record<StoredField['kind'] | 'derived', string>> = {
  person: 'Id',
  record: 'Id',
  reference: 'Id',
  account: 'Id',
  people: 'Ids',
};

/** The field's name in inputs: references end in `Id`. */
export const inputName = (field: Pick<StoredField | DerivedField, 'kind' | 'name'>): string =>
  (field.kind === 'people' ? field.name.replace(/s$/, '') : field.name) + (inputSuffix[field.kind] ?? '');

/** The field's name in REST: `requestedBy` becomes `requested_by`; `sourceID` stays. */
export const restName = (name: string): string =>
  name.replace(/[A-Z](?=[a-z])/g, (letter) => `_${letter.toLowerCase()}`);

/** The record's property that has the field's value: of references the id, `teamId`. */
export const propertyOf = (field: StoredField): string =>
  'property' in field
    ? field.property
    : field.kind === 'person' || field.kind === 'reference'
      ? inputName(field)
      : field.name;

/** The name of what a caller has given for the field. */
export const givenName = (field: StoredField): string => ('property' in field ? field.name : propertyOf(field));

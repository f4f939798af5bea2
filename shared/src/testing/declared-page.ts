import { shownName } from '../declared/declared.resource';
import { isFilled, isSetting } from '../declared/language';
import type { Declaration, DerivedField, Field, StoredField } from '../declared/language';
import { memberOf } from '../declared/read-input';
import { settingWords } from '../declared/setting-kinds';
import { markdownTable } from './generated-part';

const code = (text: string): string => `\`${text}\``;

/** The docs table of a declared type: each member in REST, its values, and what it means. */
export const membersTable = (type: Declaration): string =>
  markdownTable([
    ['Field', 'Filter, order', 'Value', 'Meaning'],
    type.isAccount
      ? ['`id`, `nodeID`', 'both by `id`', 'text, string', 'The value of the header `X-Service-Account`.']
      : ['`id`, `nodeID`', 'both by `id`', 'integer, string', ''],
    ...type.fields.filter((field) => !isShownOf(type, field)).map((field) => rowOf(type, field)),
    ...(type.isTimeless ? [] : [['`created_at`, `updated_at`', 'both', 'time', '']]),
  ]);

/** In requests a reference has the name of its id, and a secret one of its own. */
const namesOf = (field: StoredField | DerivedField): string =>
  [...new Set([shownName(field), ...(field.kind === 'derived' ? [] : [memberOf(field)])])].map(code).join(', written ');

/** Whether it only shows what an input of the same name is given. */
const isShownOf = ({ fields }: Declaration, { kind, name }: StoredField | DerivedField): boolean =>
  kind === 'derived' && fields.some((field) => field.kind !== 'derived' && field.name === name);

const rowOf = (type: Declaration, field: StoredField | DerivedField): readonly string[] => [
  namesOf(field),
  field.filterable && field.sortable ? 'both' : field.filterable ? 'filter' : field.sortable ? 'order' : '',
  field.kind !== 'derived' && field.written !== 'never'
    ? [
        ...new Set([
          isSetting(field) ? settingWords(field) : wordsOf(field),
          ...(isFilled(field) ? [] : ['or null']),
          ...remarksOf(type, field),
        ]),
      ].join('; ')
    : 'set by the platform',
  field.help ?? '',
];

const remarksOf = (type: Declaration, field: StoredField): readonly string[] => [
  ...('default' in field && String(field.default) !== ''
    ? [`default ${[field.default].flat().map(String).map(code).join(', ')}`]
    : []),
  ...(field.written === 'on change' ? ['for an existing one only'] : []),
  ...(field.mustBeGiven ? ['required'] : []),
  ...(field.isInputOnly && !type.fields.some((shown) => isShownOf(type, shown) && shown.name === field.name)
    ? ['write-only']
    : []),
  ...(field.written === 'on create' ? ['cannot be changed later'] : []),
];

/** What a field accepts, in words. */
export function wordsOf(field: Field): string {
  switch (field.kind) {
    case 'text':
      return `text, at most ${field.maxLength} characters`;
    case 'choice':
      return field.isScalar ? `one of ${field.choices.length} names` : field.choices.map(code).join(', ');
    case 'integer':
      return `whole number, ${field.min ?? 0} to ${field.max}`;
    case 'flag':
      return 'true or false';
    case 'record':
    case 'reference':
      return field.to.graphqlName;
    case 'person':
      return 'Person';
    case 'people':
      return 'list of Person';
    case 'account':
      return `Account: this one, or a ${field.as} in mutual trust`;
    case 'timestamp':
      return 'ISO 8601 date and time with offset';
    case 'date':
      return 'ISO 8601 date';
    case 'custom':
      return 'list of `id` and `value`, as the form of the UI extension says';
  }
}

import type { FieldDescription, TypeDescription, ViewDescription, WordDescription } from './description';
import { isFilled, writableFields } from './language';
import type { ChoiceField, ChoicesField, Declaration, DerivedField, Kind, StoredField } from './language';
import { inputName, memberName, restName, rootField } from './names';
import { memberOf } from './read-input';
import { shownName } from './declared.resource';
import { viewsOf } from './views';
import type { View } from './views';

type AnyField = StoredField | DerivedField;

/** What a declaration and a type of record have in common. */
type Describable = Kind &
  Pick<Declaration, 'label' | 'labelPlural' | 'description' | 'fields'> &
  Partial<Pick<Declaration, 'columns' | 'groups' | 'isTimeless' | 'member' | 'within'>> & {
    readonly rootField?: string;
  };

const administrators = ['account_administrator'] as const;

/** A view in words, without what its records have in common. */
export const describeView = ({
  where: _where,
  ...words
}: Omit<View, 'where'> & { readonly where: unknown }): ViewDescription => ({ label: inWords(words.name), ...words });

/** The description of a type that administrators edit; `further` are writes that are not declared. */
export const describe = (
  type: Declaration,
  further: readonly (keyof TypeDescription['writes'])[] = [],
): TypeDescription => ({
  ...describeFields(type),
  views: type.within ? [] : viewsOf(type).map(describeView),
  columns: type.columns,
  search: type.search,
  audience: type.audience,
  writes: Object.fromEntries(
    (Object.keys(type.writes) as (keyof TypeDescription['writes'])[])
      .concat(further)
      .map((write) => [write, type.editors?.[write] ?? administrators]),
  ),
});

/** The part of a description that follows from names and fields. */
export function describeFields(type: Describable): TypeDescription {
  checkNames(type);
  const { name, graphqlName, plural, label, labelPlural, description, fields, groups = {}, isTimeless, within } = type;
  const sortable = fields.filter((field) => field.sortable).map((field) => field.name);
  return {
    name,
    graphqlName,
    plural,
    member: memberName(type),
    path: within ? `/v1/${within.plural}/:id/${within.as}` : `/v1/${plural}`,
    within: within && { name: within.name, field: within.as },
    rootField: within ? undefined : rootField(type),
    label,
    labelPlural,
    description,
    title: fields.find(({ kind }) => kind === 'text')?.name,
    groups: Object.entries(groups).map(([group, words]) => ({ name: group, label: words })),
    fields: fields.map((field) => describeField(field)),
    orders: within ? [] : ['id', ...sortable, ...(isTimeless ? [] : ['createdAt', 'updatedAt'])],
    writes: {},
    hasNotes: false,
    hasStatus: fields.some((field) => field.name === 'status'),
    views: [],
    transitions: [],
  };
}

/** What a field names must be there; the compiler does not see it. */
function checkNames({ name, fields, groups = {}, columns = [] }: Describable): void {
  const wrong: unknown[] = columns.filter((column) => !fields.some((field) => field.name === column));
  const inFields = fields.flatMap((field) => [
    ...[field.when, field.needed].filter((one) => one && !fields.some((other) => other.name === one.field)),
    ...(field.group !== undefined && !(field.group in groups) ? [field.group] : []),
    ...(isChoice(field) ? Object.keys(field.words ?? {}).filter((word) => !field.choices.includes(word)) : []),
    ...(isChoice(field) ? askedBy(field).filter((asked) => !fields.some((other) => other.name === asked)) : []),
  ]);
  wrong.push(...inFields);
  if (wrong.length > 0) throw new Error(`${name} names what it does not have: ${JSON.stringify(wrong)}`);
}

const askedBy = ({ words = {} }: ChoiceField | ChoicesField): readonly string[] =>
  Object.values(words).flatMap((word) => (typeof word === 'string' ? [] : (word.asks ?? [])));

const isChoice = (field: AnyField): field is ChoiceField | ChoicesField =>
  field.kind === 'choice' || field.kind === 'choices';

const timings = { 'on create': 'on_create', 'on change': 'on_change', never: 'never' } as const;

function describeField(field: AnyField): FieldDescription {
  const isWritten = writableFields({ fields: [field] }).length > 0 && field.kind !== 'derived';
  return {
    name: field.name,
    rest: field.kind === 'secret' ? restName(field.name) : shownName(field),
    ...(isWritten && { input: inputName(field), restInput: memberOf(field) }),
    label: field.label,
    help: field.help,
    ...describeKind(field),
    group: field.group,
    audience: field.audience ?? 'staff',
    required: isFilled(field),
    writeOnly: field.isInputOnly,
    mustBeGiven: field.mustBeGiven,
    written: isWritten ? (field.written ? timings[field.written] : 'always') : 'never',
    filterable: field.filterable ?? false,
    sortable: field.sortable ?? false,
    ...('default' in field && { default: field.default }),
    when: field.when,
    needed: field.needed,
  };
}

type KindDescription = Pick<
  FieldDescription,
  'kind' | 'refersTo' | 'many' | 'words' | 'has' | 'maxLength' | 'lines' | 'most' | 'min' | 'max'
>;

function describeKind(field: AnyField): KindDescription {
  switch (field.kind) {
    case 'text':
      return { kind: 'text', maxLength: field.maxLength, lines: field.isCode ? 'many' : field.lines };
    case 'texts':
      return { kind: 'text', many: true, maxLength: field.maxLength, most: field.most };
    case 'integer':
      return { kind: 'integer', min: field.min ?? 0, max: field.max };
    case 'choice':
      return { kind: 'choice', words: describeWords(field) };
    case 'choices':
      return { kind: 'choice', many: true, words: describeWords(field) };
    case 'person':
      return { kind: 'reference', refersTo: 'Person' };
    case 'people':
      return { kind: 'reference', refersTo: 'Person', many: true };
    case 'record':
    case 'reference':
      return { kind: 'reference', refersTo: field.to.graphqlName };
    case 'standing':
      return { kind: 'flag' };
    case 'custom':
      return { kind: 'shape' };
    case 'secret':
      return { kind: 'secret', has: field.has, maxLength: field.maxLength };
    default:
      return { kind: field.kind };
  }
}

const describeWords = ({ choices, words = {} }: ChoiceField | ChoicesField): WordDescription[] =>
  choices.map((value) => {
    const word = words[value];
    return { value, label: inWords(value), ...(typeof word === 'string' ? { label: word } : word) };
  });

/** `waiting_for_customer` as "Waiting for customer"; the name of an event, `task.create`, stays. */
export function inWords(name: string): string {
  if (!/^[a-z_]+$/.test(name)) return name;
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

import type { FormDefinition, FormField } from '../contents/form-definition';

/** The source of a React component, in JSX, that shows the sections and fields of `definition`. */
export function generateReactForm({ sections }: FormDefinition): string {
  const body = sections.flatMap(({ name, fields }) => [
    '<fieldset>',
    ...indent([`<legend>${text(name)}</legend>`, ...fields.flatMap(fieldLines)]),
    '</fieldset>',
  ]);
  return [
    'export function Form({ values, onChange }) {',
    '  return (',
    ...indent(['<form>', ...indent(body), '</form>'], 2),
    '  );',
    '}',
    '',
  ].join('\n');
}

const indent = (lines: readonly string[], times = 1): string[] => lines.map((line) => '  '.repeat(times) + line);

// A JSON string in braces, so that no text of the definition becomes markup or code.
const text = (value: string): string => `{${JSON.stringify(value)}}`;

const valueOf = (id: string): string => `values[${JSON.stringify(id)}]`;

function fieldLines(field: FormField): string[] {
  const help = field.help ? [`<p>${text(field.help)}</p>`] : [];
  const lines = ['<div>', ...indent([...labelledLines(field), ...help]), '</div>'];
  const condition = field.visible_when;
  if (!condition) return lines;
  const empty = typeof condition.equals === 'boolean' ? 'false' : '""';
  const isMet = `(${valueOf(condition.field)} ?? ${empty}) === ${JSON.stringify(condition.equals)}`;
  return [`{${isMet} && (`, ...indent(lines), ')}'];
}

function labelledLines(field: FormField): string[] {
  if (field.type === 'radio')
    return [`<div role="radiogroup" aria-label=${text(field.label)}>`, ...indent(radioLines(field)), '</div>'];
  return [`<label htmlFor=${text(field.id)}>${text(field.label)}</label>`, ...controlLines(field)];
}

const changeOf = (field: FormField, from: string): string =>
  `onChange={(event) => onChange(${JSON.stringify(field.id)}, event.target.${from})}`;

function controlLines(field: FormField): string[] {
  const value = valueOf(field.id);
  const named = `id=${text(field.id)} name=${text(field.id)}${field.required ? ' required' : ''}`;
  if (field.type === 'checkbox')
    return [`<input ${named} type="checkbox" checked={${value} ?? false} ${changeOf(field, 'checked')} />`];
  const valued = `${named} value={${value} ?? ""} ${changeOf(field, 'value')}`;
  if (field.type === 'select') return [`<select ${valued}>`, ...indent(optionLines(field)), '</select>'];
  if (field.type === 'textarea') return [`<textarea ${valued} />`];
  return [`<input type="${field.type}" ${valued} />`];
}

const choicesOf = ({ options }: FormField) =>
  (options ?? [])
    .map((option) => (typeof option === 'string' ? { value: option } : option))
    .map(({ value, label }) => ({ value: String(value), label: typeof label === 'string' ? label : String(value) }));

// An empty option, because a browser shows the first option as selected though no value is set.
const optionLines = (field: FormField): string[] => [
  '<option value=""></option>',
  ...choicesOf(field).map(({ value, label }) => `<option value=${text(value)}>${text(label)}</option>`),
];

// The field's id appears once, not once per choice, so the output grows linearly with the definition.
const radioLines = (field: FormField): string[] => [
  '{[',
  ...indent(choicesOf(field).map(({ value, label }) => `[${JSON.stringify(value)}, ${JSON.stringify(label)}],`)),
  '].map(([value, label], index) => (',
  ...indent([
    '<label key={index}>',
    `  <input type="radio" name=${text(field.id)}${field.required ? ' required' : ''} value={value} checked={${valueOf(field.id)} === value} ${changeOf(field, 'value')} />`,
    '  {label}',
    '</label>',
  ]),
  '))}',
];

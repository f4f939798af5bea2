import { escapeHtml } from '../contents/escape-html';
import { parseFormDefinition } from '../contents/form-definition';
import type { FormField } from '../contents/form-definition';

/** The form of a definition as HTML that shows it and does nothing; empty for an empty or broken definition. */
export function renderStaticForm(definition: string | null): string {
  const form = parseFormDefinition(definition ?? '');
  if ('error' in form) return '';
  return form.definition.sections
    .map(
      ({ name, fields }, section) =>
        `<fieldset><legend>${escapeHtml(name)}</legend>${fields.map((field, place) => fieldHtml(field, `${section}-${place}`)).join('')}</fieldset>`,
    )
    .join('');
}

/** `group`: what the choices of a field have in common; short, since it stands at each of them. */
function fieldHtml(field: FormField, group: string): string {
  const help = field.help ? `<br><small>${escapeHtml(field.help)}</small>` : '';
  const condition = field.visible_when
    ? `<br><small><i>Shown when ${escapeHtml(field.visible_when.field)} is ${escapeHtml(String(field.visible_when.equals))}</i></small>`
    : '';
  const mark = field.required ? ' *' : '';
  const label = `${escapeHtml(field.label)}${mark}`;
  const isBox = field.type === 'checkbox';
  return `<p><label>${isBox ? `<input type="checkbox"> ${label}` : `${label}<br>${controlHtml(field, group)}`}</label>${help}${condition}</p>`;
}

function controlHtml({ type, options }: FormField, group: string): string {
  const labels = (options ?? []).map((option) =>
    escapeHtml(typeof option === 'string' ? option : (option.label ?? option.value)),
  );
  if (type === 'textarea') return '<textarea rows="3"></textarea>';
  if (type === 'select')
    return `<select><option></option>${labels.map((label) => `<option>${label}</option>`).join('')}</select>`;
  if (type === 'radio') return labels.map((label) => `<input type="radio" name="${group}"> ${label} `).join('');
  return `<input type="${type}">`;
}

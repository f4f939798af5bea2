import { localizedHtml, escapeHtml } from '../contents/localized-html';
import { scopeOf } from '../extensions/extension';
import type { Extension } from '../extensions/extension';
import type { Look } from './preview.page';
import { parseFormDefinition } from '../contents/form-definition';
import type { FormField } from '../contents/form-definition';

const schemes = { auto: 'light dark', light: 'light', dark: 'dark' } as const;

/**
 * The document in the frame: the written text, as it is. Only its response headers make it harmless. A link opens nothing: new
 * windows are what the frame may not open.
 */
export function previewContent({ id, prepared }: Extension, compiledCss: string, { theme, locale }: Look): string {
  const { content } = prepared;
  const scheme = content.darkModeSafe ? schemes[theme] : 'light';
  // A stylesheet in HTML ends at this tag, even within a string or a comment.
  const css = inScheme(compiledCss, scheme).replace(/<\/style/gi, '<\\/style');
  return `<!doctype html>
<html lang="${escapeHtml(locale || 'en')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<base target="_blank">
<title>Preview</title>
<style>:root { color-scheme: ${scheme}; } body { font: 16px/1.5 system-ui, sans-serif; margin: 1rem; overflow-wrap: anywhere; }</style>
<style>${css}</style>
</head>
<body class="${scopeOf(id).slice(1)}">
${renderStaticForm(content.formDefinition)}${withoutLinks(localizedHtml(content, locale === '' ? [] : [locale]))}
</body>
</html>
`;
}

/** Rules for light or dark follow what was chosen; a frame has no other way, its system decides. */
function inScheme(css: string, scheme: (typeof schemes)[keyof typeof schemes]): string {
  if (scheme === schemes.auto) return css;
  return css.replace(/\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi, (_query, asked: string) =>
    asked.toLowerCase() === scheme ? '(min-width: 0)' : '(max-width: 0)',
  );
}

/**
 * No policy keeps browsers from connecting to what `<link rel="preconnect">` names, here or in a document in an attribute, nor to
 * where a link to its own frame leads, so these become elements and attributes that mean nothing. The names of tags and
 * attributes are written as they are, so no markup hides one.
 */
const withoutLinks = (html: string): string =>
  html.replace(/<(link|iframe)(?=[\s/>])/gi, '<x-$1').replace(/(?<=[\s/"'])target(?=\s*=)/gi, 'x-target');

/** The form of a definition as HTML that shows it and does nothing; empty for an empty or broken definition. */
function renderStaticForm(definition: string | null): string {
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

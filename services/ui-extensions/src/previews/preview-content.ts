import { localizedHtml, escapeHtml } from '../contents/localized-html';
import { scopeOf } from '../extensions/extension';
import type { Extension } from '../extensions/extension';
import type { Look } from './preview.page';
import { parseFormDefinition } from '../contents/form-definition';
import type { FormField } from '../contents/form-definition';

const schemes = { auto: 'light dark', light: 'light', dark: 'dark' } as const;

/**
 * The document in the frame, with the designer's HTML unchanged. Only its response headers make it harmless. Links open
 * nothing: they target a new window, which the sandbox forbids.
 */
export function previewContent({ id, prepared }: Extension, compiledCss: string, { theme, locale }: Look): string {
  const { content } = prepared;
  const scheme = content.darkModeSafe ? schemes[theme] : 'light';
  // In HTML this tag ends a stylesheet even within a string or a comment, so it is escaped.
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

/** Rewrites `prefers-color-scheme` to the chosen theme: inside a frame the media query would follow the system. */
function inScheme(css: string, scheme: (typeof schemes)[keyof typeof schemes]): string {
  if (scheme === schemes.auto) return css;
  return css.replace(/\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi, (_query, asked: string) =>
    asked.toLowerCase() === scheme ? '(min-width: 0)' : '(max-width: 0)',
  );
}

/**
 * Disables link and iframe elements and target attributes by renaming them. No Content Security Policy stops the
 * connections of `<link rel="preconnect">` (also in the `srcdoc` of an iframe) or of a link to its own frame. Names of
 * tags and attributes cannot be escaped in HTML, so a text match finds all.
 */
const withoutLinks = (html: string): string =>
  html.replace(/<(link|iframe)(?=[\s/>])/gi, '<x-$1').replace(/(?<=[\s/"'])target(?=\s*=)/gi, 'x-target');

/** The form as static HTML; empty for an empty or invalid definition. */
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

/** `group`: the `name` shared by the radio buttons of a field; short, because each button repeats it. */
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

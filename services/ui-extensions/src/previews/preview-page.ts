import { escapeHtml } from '../contents/escape-html';
import type { Extension } from '../extensions/extension';
import { previewStylesheet } from './preview-stylesheet';

export const themes = ['auto', 'light', 'dark'] as const;
export const widths = ['full', 'phone'] as const;

/** How the viewer wants to see the preview; `locale`: empty for the original texts. */
export interface Look {
  readonly theme: (typeof themes)[number];
  readonly width: (typeof widths)[number];
  readonly locale: string;
}

const names: Readonly<Record<string, string>> = {
  ...{ auto: 'System', light: 'Light', dark: 'Dark', full: 'Desktop', phone: 'Phone' },
};

/** The frame and what is around it. `path`: the address of the page, without parameters. */
export function previewPage(extension: Extension, look: Look, path: string): string {
  const { name, prepared } = extension;
  const { translations, darkModeSafe } = prepared.content;
  const locales = ['', ...translations.map(({ locale }) => locale)];
  const choices = [
    choice('Theme', path, look, 'theme', themes),
    choice('Width', path, look, 'width', widths),
    locales.length > 1 ? choice('Language', path, look, 'locale', locales) : '',
  ];
  const frame = `${darkModeSafe ? 'follows' : ''} ${look.width === 'phone' ? 'narrow' : ''}`.trim();
  return document(
    `Preview of ${name}`,
    look.theme,
    `<header><h1>${escapeHtml(name)}<span>Version ${prepared.versionNr}, being prepared</span></h1>${choices.join('')}</header>
${notes(extension)}
<main><iframe class="${frame}" title="Preview of ${escapeHtml(name)}" sandbox="" referrerpolicy="no-referrer" src="${escapeHtml(addressOf(`${path}/content`, look))}"></iframe></main>`,
  );
}

/** What is shown for an address that opens nothing. */
export const missingPreviewPage = (): string =>
  document(
    'No preview',
    'auto',
    '<main><div class="empty"><h1>There is no preview here</h1><p>An address of a preview is good for an hour. Ask for a new one.</p></div></main>',
  );

const document = (title: string, theme: Look['theme'], body: string): string => `<!doctype html>
<html lang="en" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${previewStylesheet}</style>
<link rel="icon" href="data:,">
</head>
<body>
${body}
</body>
</html>
`;

function notes({ prepared: { content } }: Extension): string {
  const texts = [
    content.javascript ? 'The preview runs no scripts.' : '',
    content.darkModeSafe ? '' : 'This version is not marked as safe for dark mode, so it stays light.',
  ].filter((text) => text !== '');
  return texts.length > 0 ? `<div class="notes">${texts.map((text) => `<p>${text}</p>`).join('')}</div>` : '';
}

function choice(label: string, path: string, look: Look, key: keyof Look, values: readonly string[]): string {
  const links = values.map((value) => {
    const current = look[key] === value ? ' aria-current="true"' : '';
    const text = key === 'locale' ? value || 'Original' : (names[value] ?? value);
    return `<a href="${escapeHtml(addressOf(path, { ...look, [key]: value }))}"${current}>${escapeHtml(text)}</a>`;
  });
  return `<nav aria-label="${label}">${links.join('')}</nav>`;
}

const addressOf = (path: string, look: Look): string => `${path}?${new URLSearchParams({ ...look }).toString()}`;

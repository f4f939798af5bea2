import { createPages } from '@itsm/shared/api/pages/page';
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
  auto: 'System',
  light: 'Light',
  dark: 'Dark',
  full: 'Desktop',
  phone: 'Phone',
};

const render = createPages({ stylesheet: previewStylesheet });

const previewTemplate = /* html */ `<header><h1><%= it.name %><span>Version <%= it.versionNr %>, being prepared</span></h1>
<% for (const { label, links } of it.choices) { %><nav aria-label="<%= label %>">
<% for (const { address, text, isCurrent } of links) { %><a href="<%= address %>"<% if (isCurrent) { %> aria-current="true"<% } %>><%= text %></a><% } %></nav>
<% } %></header>
<% if (it.notes.length > 0) { %><div class="notes"><% for (const note of it.notes) { %><p><%= note %></p><% } %></div>
<% } %><main><iframe class="<%= it.frame %>" title="<%= it.title %>" sandbox="" referrerpolicy="no-referrer" src="<%= it.address %>"></iframe></main>
`;

/** The frame and what is around it. `path`: the address of the page, without parameters. */
export function previewPage(extension: Extension, look: Look, path: string): string {
  const { name, prepared } = extension;
  const { versionNr, content } = prepared;
  const locales = ['', ...content.translations.map(({ locale }) => locale)];
  const choices = [
    choice('Theme', path, look, 'theme', themes),
    choice('Width', path, look, 'width', widths),
    ...(locales.length > 1 ? [choice('Language', path, look, 'locale', locales)] : []),
  ];
  const frame = `${content.darkModeSafe ? 'follows' : ''} ${look.width === 'phone' ? 'narrow' : ''}`.trim();
  const address = addressOf(`${path}/content`, look);
  return render({
    title: `Preview of ${name}`,
    template: previewTemplate,
    data: { name, versionNr, choices, notes: notesOn(extension), frame, address },
    theme: look.theme === 'auto' ? undefined : look.theme,
  });
}

const missingTemplate = /* html */ `<main><div class="empty"><h1>There is no preview here</h1>
<p>An address of a preview is good for an hour. Ask for a new one.</p></div></main>
`;

/** What is shown for an address that opens nothing. */
export const missingPreviewPage = (): string => render({ title: 'No preview', template: missingTemplate, data: {} });

const notesOn = ({ prepared: { content } }: Extension): string[] => [
  ...(content.javascript ? ['The preview runs no scripts.'] : []),
  ...(content.darkModeSafe ? [] : ['This version is not marked as safe for dark mode, so it stays light.']),
];

function choice(label: string, path: string, look: Look, key: keyof Look, values: readonly string[]) {
  const links = values.map((value) => ({
    address: addressOf(path, { ...look, [key]: value }),
    text: key === 'locale' ? value || 'Original' : (names[value] ?? value),
    isCurrent: look[key] === value,
  }));
  return { label, links };
}

const addressOf = (path: string, look: Look): string => `${path}?${new URLSearchParams({ ...look }).toString()}`;

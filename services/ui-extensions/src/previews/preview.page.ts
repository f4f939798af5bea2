import { barWith, placesOf, placesOfAnybody } from '@itsm/shared/api/pages/bar';
import { createPages } from '@itsm/shared/api/pages/page';
import { createStylesheet } from '@itsm/shared/api/pages/stylesheet';
import type { Extension } from '../extensions/extension';

/** Styles of the page around the frame. */
export const previewStylesheet = createStylesheet(/* css */ `
body { height: 100vh; height: 100dvh; display: flex; flex-direction: column; font-size: .9375rem; }
.bar > div { max-width: none; padding: .375rem 1rem; }
.tools { background: var(--surface); border-bottom: 1px solid var(--line); padding: .625rem 1rem; display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; }
h1 { font-size: 1.0625rem; line-height: 1.3; margin: 0; flex: 1 1 16rem; }
h1 span { display: block; font-weight: 400; font-size: .8125rem; color: var(--muted); }
.tools nav { display: flex; flex-wrap: wrap; border: 1px solid var(--muted); border-radius: 8px; overflow: hidden; }
.tools nav a { padding: .4rem .7rem; min-height: 2.125rem; color: var(--text); text-decoration: none; font-size: .875rem; }
.tools nav a + a { border-left: 1px solid var(--line); }
.tools nav a[aria-current] { background: var(--accent); color: var(--on-accent); font-weight: 600; }
.tools nav a:focus-visible { outline-offset: -3px; }
.tools nav a[aria-current]:focus-visible { outline-color: var(--on-accent); }
.notes { margin: 0; padding: .5rem 1rem; font-size: .875rem; color: var(--muted); background: var(--surface); border-bottom: 1px solid var(--line); }
.notes p { margin: 0; }
main { flex: 1; min-height: 0; display: flex; flex-direction: column; }
.stage { flex: 1; min-height: 0; display: flex; justify-content: center; padding: 1rem; }
iframe { flex: 1; min-width: 0; border: 1px solid var(--line); border-radius: 10px; background: #ffffff; color-scheme: light; }
iframe.narrow { max-width: 390px; }
:root[data-theme=dark] iframe.follows { background: #121212; color-scheme: dark; }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) iframe.follows { background: #121212; color-scheme: dark; } }
.empty { margin: 20vh auto 0; max-width: 28rem; padding: 0 1rem; text-align: center; }
/* Where the window is as narrow as a phone there is nothing to choose. */
@media (max-width: 30rem) { .tools, .notes { padding: .5rem .75rem; } h1 { flex-basis: 100%; } nav[aria-label=Width] { display: none; } .stage { padding: .5rem; } }
`);

export const themes = ['auto', 'light', 'dark'] as const;
export const widths = ['full', 'phone'] as const;

/** The viewer's choices; `locale` is empty for the original texts. */
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

const render = createPages({ stylesheet: previewStylesheet, layout: `${barWith()}<%~ it.body %>` });

const previewTemplate = /* html */ `<main><div class="tools"><h1><%= it.name %><span>Version <%= it.versionNr %>, being prepared</span></h1>
<% for (const { label, links } of it.choices) { %><nav aria-label="<%= label %>">
<% for (const { address, text, isCurrent } of links) { %><a href="<%= address %>"<% if (isCurrent) { %> aria-current="true"<% } %>><%= text %></a><% } %></nav>
<% } %></div>
<% if (it.notes.length > 0) { %><div class="notes"><% for (const note of it.notes) { %><p><%= note %></p><% } %></div>
<% } %><div class="stage"><iframe class="<%= it.frame %>" title="<%= it.title %>" sandbox="" referrerpolicy="no-referrer" src="<%= it.address %>"></iframe></div></main>
`;

/** The origin of the platform, and the path of the page without its query. */
interface Address {
  readonly origin: string;
  readonly path: string;
}

/** The page with the frame and its controls. */
export function previewPage(extension: Extension, look: Look, { origin, path }: Address): string {
  const { accountId, name, prepared } = extension;
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
    data: {
      places: placesOf(accountId, origin),
      home: `${origin}/`,
      name,
      versionNr,
      choices,
      notes: notesOn(extension),
      frame,
      address,
    },
    theme: look.theme === 'auto' ? undefined : look.theme,
  });
}

const missingTemplate = /* html */ `<main><div class="empty"><h1>There is no preview here</h1>
<p>An address of a preview is good for an hour. Ask for a new one.</p></div></main>
`;

/** The page for an unknown or expired token. */
export const missingPreviewPage = (origin: string): string =>
  render({
    title: 'No preview',
    template: missingTemplate,
    data: { places: placesOfAnybody(origin), home: `${origin}/` },
  });

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

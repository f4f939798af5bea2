import { createHash } from 'node:crypto';
import { barRules } from './bar';
import { palette } from './palette';

const colours = (look: 0 | 1): string =>
  Object.entries(palette)
    .map(([name, pair]) => `--${name}: ${pair[look]};`)
    .join(' ');
const dark = `
    ${colours(1)}
    --shadow: 0 1px 2px rgb(0 0 0 / 40%), 0 8px 24px rgb(0 0 0 / 35%);`;

/** Base styles of all pages. Light or dark follows the system unless the page sets a theme. */
const base = /* css */ `
:root {
  color-scheme: light dark;
  ${colours(0)}
  --shadow: 0 1px 2px rgb(16 24 40 / 6%), 0 8px 24px rgb(16 24 40 / 8%);
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
  :root:not([data-theme=light]) {${dark}
  }
}
:root[data-theme=light] { color-scheme: light; }
:root[data-theme=dark] { color-scheme: dark;${dark}
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; background: var(--ground); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 14px; box-shadow: var(--shadow); padding: 1.75rem; }
@media (max-width: 30rem) { .card { padding: 1.25rem; } }
h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.125rem; margin: 0 0 .25rem; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
p { margin: 0 0 1rem; }
.muted { color: var(--muted); }
.small { font-size: .875rem; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: .5rem 1.125rem; font: inherit; font-weight: 600;
  border: 1px solid var(--muted); border-radius: 8px; background: var(--surface); color: var(--text); cursor: pointer; text-align: center; text-decoration: none;
}
button:hover, .button:hover { border-color: var(--text); }
button.primary, .button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.primary:hover, .button.primary:hover { background: var(--accent-strong); border-color: var(--accent-strong); }
/* All buttons have the same colours there. */
@media (forced-colors: active) { button.primary, .button.primary { border-width: 3px; } }
button.wide, .button.wide { width: 100%; }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0; font-size: .875rem; }
dl.facts dt { color: var(--muted); }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 24rem) { dl.facts { grid-template-columns: 1fr; gap: 0; } dl.facts dd { margin-bottom: .5rem; } }${barRules}
`;

export interface Stylesheet {
  readonly css: string;
  /** The `style-src` value for a page that inlines the stylesheet. */
  readonly source: string;
}

/** The base styles plus further rules. */
export function createStylesheet(rules: string): Stylesheet {
  const css = `${base}${rules}`;
  return { css, source: `'sha256-${createHash('sha256').update(css).digest('base64')}'` };
}

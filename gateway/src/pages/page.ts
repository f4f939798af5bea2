import { createHash } from 'node:crypto';

const style = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #566173; --paper: #f4f6f9; --card: #fff; --line: #dbe1ea; --link: #2b5fb3; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ecf2; --soft: #a3adbd; --paper: #11151b; --card: #1a2029; --line: #303947; --link: #8db8ff; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
nav, main { max-width: 60rem; margin: 0 auto; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-bottom: 1rem; }
main { padding: 1rem 2rem 2rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; overflow-wrap: anywhere; }
a { color: var(--link); }
[aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
h1, h2, h3 { line-height: 1.25; }
code { font-size: .9em; }
pre { padding: .75rem 1rem; overflow-x: auto; background: var(--paper); border: 1px solid var(--line); border-radius: .375rem; overflow-wrap: normal; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { overflow-wrap: break-word; padding: .375rem .75rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
td:last-child { min-width: 14rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
@media (max-width: 30rem) { body { padding: .5rem; } main { padding: .5rem 1rem 1rem; } }
`;

/** A link of the navigation. */
export interface Link {
  readonly address: string;
  readonly text: string;
}

/** A page without script; `main` is HTML. The link that has the page's title is the page itself. */
export const renderPage = (title: string, main: string, links: readonly Link[] = []): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
${links.length === 0 ? '' : `<nav>${links.map((link) => toAnchor(link, title)).join('\n')}</nav>\n`}<main>
${main}</main>
</body>
</html>
`;

const toAnchor = ({ address, text }: Link, title: string): string =>
  `<a href="${escapeHtml(address)}"${text === title ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a>`;

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** No script, and nothing from elsewhere. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

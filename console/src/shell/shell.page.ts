import type { Entry } from '../assets/manifest';

export interface ShellData {
  /** Names the build of the browser part. */
  readonly build: string;
  readonly entry: Entry;
  /** Public origin. */
  readonly baseUrl: string;
  /** Of this answer alone (Content-Security-Policy 3, §7.1). */
  readonly nonce: string;
}

/** Before anything is painted, so that no page flashes in the other theme. */
const themeScript = `try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the system decides.
}`;

/** The HTML that starts the browser part. */
export function shellPage({ build, entry, baseUrl, nonce }: ShellData): string {
  const address = (file: string): string => escapeAttribute(`/console/assets/${file}`);
  const facts = escapeAttribute(JSON.stringify({ build, baseUrl, nonce }));
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    `<meta name="console" content="${facts}">`,
    // Where react-aria looks for the nonce of the styles that it makes.
    `<meta property="csp-nonce" nonce="${nonce}">`,
    '<title>Service Management</title>',
    '<link rel="icon" href="data:,">',
    `<script nonce="${nonce}">${themeScript}</script>`,
    ...entry.stylesheets.map((file) => `<link rel="stylesheet" href="${address(file)}">`),
    ...entry.imports.map((file) => `<link rel="modulepreload" nonce="${nonce}" href="${address(file)}">`),
    `<script type="module" nonce="${nonce}" src="${address(entry.script)}"></script>`,
    '</head>',
    '<body>',
    '<div id="root"></div>',
    '<noscript>The console needs JavaScript. The <a href="/docs/v1">API</a> and <a href="/oauth/profile">your profile</a> do without.</noscript>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '"': '&quot;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;',
};

const escapeAttribute = (text: string): string => text.replace(/[&"'<>]/g, (character) => entities[character] ?? '');

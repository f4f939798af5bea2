import type { Entry } from '../assets/manifest';

export interface ShellData {
  /** Identifies the build of the browser part. */
  readonly build: string;
  readonly entry: Entry;
  /** The public origin. */
  readonly baseUrl: string;
  /** Unique per response (Content-Security-Policy 3, §7.1). */
  readonly nonce: string;
}

/** Runs before the first paint, so that the page neither flashes in the other theme nor shifts. */
const lookScript = `try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  if (localStorage.getItem('density') === 'compact') document.documentElement.dataset.density = 'compact';
} catch {
  // Without storage the system decides.
}`;

/**
 * For an entry file that fails to load, as when replicas of two releases answer: the page reloads itself once a minute,
 * after that it shows a sentence. Files that the running page loads later are handled there.
 */
const missingScript = `let isLoadedAgain = false;
addEventListener('error', ({ target }) => {
  if (isLoadedAgain || !(target instanceof Element) || !target.hasAttribute('data-part')) return;
  try {
    const last = Number(sessionStorage.getItem('missing-part'));
    if (Date.now() - last > 60_000) {
      sessionStorage.setItem('missing-part', String(Date.now()));
      isLoadedAgain = true;
      setTimeout(() => location.reload(), 1_000);
      return;
    }
  } catch {
    // Without storage it is not known whether that has been tried.
  }
  const say = () => {
    const root = document.getElementById('root');
    if (root.hidden) return;
    const make = (name, text) => Object.assign(document.createElement(name), { textContent: text });
    const again = Object.assign(make('a', 'Try again'), { href: location.href });
    const main = Object.assign(document.createElement('main'), { className: 'notice-page panel stack' });
    main.append(
      make('h1', 'The console could not be loaded'),
      make('p', 'A new version may be rolling out. Try again in a minute.'),
      again,
    );
    // What has begun all the same, without its looks, may go on unseen.
    root.hidden = true;
    document.body.prepend(main);
  };
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', say);
  else say();
}, true);`;

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
    // Where react-aria looks for the nonce of the styles that it creates.
    `<meta property="csp-nonce" nonce="${nonce}">`,
    '<title>Service Management</title>',
    '<link rel="icon" href="data:,">',
    `<script nonce="${nonce}">${lookScript}\n${missingScript}</script>`,
    ...entry.stylesheets.map((file) => `<link rel="stylesheet" data-part href="${address(file)}">`),
    ...entry.imports.map((file) => `<link rel="modulepreload" nonce="${nonce}" href="${address(file)}">`),
    `<script type="module" data-part nonce="${nonce}" src="${address(entry.script)}"></script>`,
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

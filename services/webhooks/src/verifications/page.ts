import { createHash } from 'node:crypto';
import { Eta } from 'eta';

const style = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #566173; --paper: #f4f6f9; --card: #fff; --line: #dbe1ea; --good: #13703a; --plain: #2b5fb3; --bad: #a4262c; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ecf2; --soft: #a3adbd; --paper: #11151b; --card: #1a2029; --line: #303947; --good: #5fd08f; --plain: #8db8ff; --bad: #ff8f8a; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 32rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-top: 4px solid var(--mark); border-radius: .5rem; }
.good { --mark: var(--good); }
.bad { --mark: var(--bad); }
.plain { --mark: var(--plain); }
h1 { margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.25; color: var(--mark); }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
p:last-child { margin: 0; color: var(--soft); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0 0 1rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
form { margin: 1.25rem 0; }
button { width: 100%; min-height: 2.75rem; padding: .5rem 1rem; border: 1px solid var(--ink); border-radius: .375rem; background: var(--ink); color: var(--card); font: inherit; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; }
@media (max-width: 24rem) { body { padding: .75rem; } main { padding: 1.25rem; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
`;

const template = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title><%= it.title %></title>
<style><%~ it.style %></style>
</head>
<body>
<main class="<%= it.tone %>">
<h1><%= it.title %></h1>
<% if (it.facts.length > 0) { %><dl>
<% for (const [name, value] of it.facts) { %><dt><%= name %></dt><dd><%= value %></dd>
<% } %></dl>
<% } %><% if (it.form) { %><form method="post" action="<%= it.form.action %>">
<% for (const [name, value] of it.form.fields) { %><input type="hidden" name="<%= name %>" value="<%= value %>">
<% } %><button><%= it.form.button %></button>
</form>
<% } %><% for (const text of it.texts) { %><p><%= text %></p>
<% } %></main>
</body>
</html>
`;

const eta = new Eta({ autoEscape: true });

type Pairs = readonly (readonly [name: string, value: string])[];

/** A page without script; everything shown is escaped. */
interface Page {
  readonly tone: 'good' | 'bad' | 'plain';
  readonly title: string;
  readonly facts?: Pairs;
  readonly form?: { readonly action: string; readonly fields: Pairs; readonly button: string };
  readonly texts: readonly string[];
}

export const render = (page: Page): string =>
  eta.renderString(template, { facts: [], form: undefined, ...page, style });

const policy = (formAction: "'none'" | "'self'"): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join('; ');

/** Headers of all pages: no script, nothing from elsewhere, and what is secret in the address goes nowhere. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': policy("'none'"),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** The same for a page with a form. */
export const formPageHeaders: Readonly<Record<string, string>> = {
  ...pageHeaders,
  'Content-Security-Policy': policy("'self'"),
};

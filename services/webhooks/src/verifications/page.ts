import { createPages } from '@itsm/shared/api/pages/page';
import { pageHeaders } from '@itsm/shared/api/pages/page-headers';
import { createStylesheet } from '@itsm/shared/api/pages/stylesheet';

const stylesheet = createStylesheet(/* css */ `
body { display: grid; place-items: center; padding: 1.5rem; }
main.card { width: 100%; max-width: 32rem; border-top: 4px solid var(--mark); }
.good { --mark: var(--good); }
.bad { --mark: var(--bad); }
.plain { --mark: var(--accent); }
h1 { color: var(--mark); }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
p:last-child { margin: 0; color: var(--muted); }
dl.facts { margin: 0 0 1rem; }
form { margin: 1.25rem 0; }
@media (max-width: 24rem) { body { padding: .875rem; } dl.facts { grid-template-columns: 1fr; gap: 0; } dl.facts dd { margin-bottom: .5rem; } }
`);

const template = /* html */ `<main class="card <%= it.tone %>">
<h1><%= it.title %></h1>
<% if (it.facts.length > 0) { %><dl class="facts">
<% for (const [name, value] of it.facts) { %><dt><%= name %></dt><dd><%= value %></dd>
<% } %></dl>
<% } %><% if (it.form) { %><form method="post" action="<%= it.form.action %>">
<% for (const [name, value] of it.form.fields) { %><input type="hidden" name="<%= name %>" value="<%= value %>">
<% } %><button class="primary wide"><%= it.form.button %></button>
</form>
<% } %><% for (const text of it.texts) { %><p><%= text %></p>
<% } %></main>
`;

type Pairs = readonly (readonly [name: string, value: string])[];

interface Page {
  readonly tone: 'good' | 'bad' | 'plain';
  readonly title: string;
  readonly facts?: Pairs;
  readonly form?: { readonly action: string; readonly fields: Pairs; readonly button: string };
  readonly texts: readonly string[];
}

const renderPage = createPages({ stylesheet });

export const render = ({ title, ...page }: Page): string =>
  renderPage({ title, template, data: { facts: [], form: undefined, ...page } });

export const plainHeaders = pageHeaders({ 'style-src': stylesheet.source });

/** The same for a page with a form. */
export const formHeaders = pageHeaders({ 'style-src': stylesheet.source, 'form-action': "'self'" });

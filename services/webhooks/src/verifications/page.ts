import { isAccountId } from '@itsm/shared/api/identity/account-id';
import { barWith, placesOf, placesOfAnybody } from '@itsm/shared/api/pages/bar';
import { createPages } from '@itsm/shared/api/pages/page';
import { pageHeaders } from '@itsm/shared/api/pages/page-headers';
import { createStylesheet } from '@itsm/shared/api/pages/stylesheet';

const stylesheet = createStylesheet(/* css */ `
main { max-width: 34rem; margin: clamp(1.5rem, 10vh, 6rem) auto 0; padding: 0 1rem 2rem; }
main .card { border-top: 4px solid var(--mark); }
.good { --mark: var(--good); }
.bad { --mark: var(--bad); }
.plain { --mark: var(--accent); }
h1 { color: var(--mark); }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
p:last-child { margin: 0; }
dl.facts { margin: 0 0 1rem; }
form { margin: 1.25rem 0; }
@media (max-width: 30rem) { main { margin-top: 1.5rem; } }
`);

/**
 * Template code that prints a `Text`; `value` is its name in the template. Times are in UTC: without a session the
 * reader's time zone is unknown.
 */
const textOf = (value: string): string =>
  `<% for (const part of [${value}].flat()) { %><% if (typeof part === 'string') { %><%= part %><% } else { %>` +
  /* html */ `<time datetime="<%= part.toISOString() %>"><%= part.toISOString().slice(0, 16).replace('T', ' ') %> UTC</time><% } %><% } %>`;

const template = /* html */ `<main><div class="card <%= it.tone %>">
<h1><%= it.title %></h1>
<% if (it.facts.length > 0) { %><dl class="facts">
<% for (const [name, value] of it.facts) { %><dt><%= name %></dt><dd>${textOf('value')}</dd>
<% } %></dl>
<% } %><% if (it.form) { %><form method="post" action="<%= it.form.action %>">
<% for (const [name, value] of it.form.fields) { %><input type="hidden" name="<%= name %>" value="<%= value %>">
<% } %><button class="primary wide"><%= it.form.button %></button>
</form>
<% } %><% for (const text of it.texts) { %><p class="muted">${textOf('text')}</p>
<% } %><% if (it.link) { %><p><a href="<%= it.link.address %>"><%= it.link.text %></a></p>
<% } %></div></main>
`;

type Pairs = readonly (readonly [name: string, value: string])[];
/** A text that may contain times. */
export type Text = string | Date | readonly (string | Date)[];

interface Page {
  readonly tone: 'good' | 'bad' | 'plain';
  readonly title: string;
  readonly facts?: readonly (readonly [name: string, value: Text])[];
  readonly form?: { readonly action: string; readonly fields: Pairs; readonly button: string };
  readonly texts: readonly Text[];
  /** The link to the next step. */
  readonly link?: { readonly address: string; readonly text: string } | undefined;
}

const renderPage = createPages({ stylesheet, layout: `${barWith()}<%~ it.body %>` });

/** `accountId` comes from the URL and is untrusted. */
export type Surroundings = { readonly origin: string; readonly accountId: string };

export function render({ title, ...page }: Page, { origin, accountId }: Surroundings): string {
  const places = isAccountId(accountId) ? placesOf(accountId, origin) : placesOfAnybody(origin);
  const data = { facts: [], form: undefined, link: undefined, ...page, places, home: `${origin}/` };
  return renderPage({ title, template, data });
}

/** The page of a webhook in the console. */
export const linkToConsole = ({ origin, accountId }: Surroundings, webhookId: number) => ({
  address: `${origin}/accounts/${accountId}/webhooks/${webhookId}`,
  text: 'Open it in the console',
});

/** The account's list of webhooks, when the webhook is unknown; undefined for an invalid account id. */
export const linkToWebhooks = ({ origin, accountId }: Surroundings) =>
  isAccountId(accountId)
    ? { address: `${origin}/accounts/${accountId}/webhooks`, text: 'Open the webhooks in the console' }
    : undefined;

export const plainHeaders = pageHeaders({ 'style-src': stylesheet.source });

/** As `plainHeaders`, for a page with a form. */
export const formHeaders = pageHeaders({ 'style-src': stylesheet.source, 'form-action': "'self'" });

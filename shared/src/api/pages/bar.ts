/** A link of the bar. */
export interface Place {
  readonly address: string;
  readonly text: string;
  /** Whether the page is the link's target or below it. */
  readonly isCurrent?: boolean;
}

/** The links between the console and the person's pages; `origin` is empty for links within the page's origin. */
export const placesOf = (accountId: string, origin = ''): readonly Place[] => [
  { address: `${origin}/accounts/${accountId}`, text: 'Console' },
  { address: `${origin}/oauth/profile`, text: 'Profile' },
];

/** The same links when the account is unknown: the console finds the account of the signed-in person. */
export const placesOfAnybody = (origin = ''): readonly Place[] => [
  { address: `${origin}/`, text: 'Console' },
  { address: `${origin}/oauth/profile`, text: 'Profile' },
];

/**
 * The bar on top of all pages except the console's: the product's name, links to the console and the person's pages,
 * and additions of a service (`more`). The page's data has the links as `places`, and the target of the name as `home`
 * when it is not `/`.
 */
export const barWith = (more = ''): string => /* html */ `<header class="bar"><div>
<a class="brand" href="<%= it.home ?? '/' %>"><svg width="24" height="24" viewBox="0 0 24 24" fill="none" aria-hidden="true"><rect width="24" height="24" rx="6" fill="currentColor"/><path d="M7 12.5l3.2 3.2L17 9" stroke="var(--on-accent)" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>Service Management</a>
<% if (it.places.length > 0) { %><nav class="places" aria-label="Service Management">
<% it.places.forEach(({ address, text, isCurrent }) => { %><a href="<%= address %>"<% if (isCurrent) { %> aria-current="page"<% } %>><%= text %></a>
<% }) %></nav><% } %>
${more}</div></header>
`;

export const barRules = /* css */ `
.bar { background: var(--surface); border-bottom: 1px solid var(--line); }
.bar > div {
  max-width: 60rem; margin: 0 auto; padding: .75rem 1.25rem; display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem;
}
.brand { display: inline-flex; align-items: center; gap: .6rem; font-weight: 650; color: inherit; text-decoration: none; margin-right: auto; }
.brand svg { display: block; color: var(--accent); }
.places { display: flex; flex-wrap: wrap; gap: 0 1rem; }
.places a { padding: .25rem 0 .125rem; color: var(--muted); font-size: .875rem; font-weight: 500; text-decoration: none; border-bottom: 2px solid transparent; }
.places a:hover { color: var(--text); }
.places a[aria-current] { color: var(--text); border-color: var(--accent); }
/* There a border that is transparent is drawn: every place would look like the present one. */
@media (forced-colors: active) { .places a:not([aria-current]) { border-color: Canvas; } }
/* On a phone the links get a line of their own. */
@media (max-width: 30rem) {
  .bar > div { padding-left: .875rem; padding-right: .875rem; gap: .35rem .5rem; }
  .brand { font-size: .9375rem; gap: .5rem; }
  .places { order: 1; flex-basis: 100%; }
}`;

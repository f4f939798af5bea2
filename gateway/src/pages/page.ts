import { barWith, placesOfAnybody } from '@itsm/shared/api/pages/bar';
import { createPages } from '@itsm/shared/api/pages/page';
import type { Page } from '@itsm/shared/api/pages/page';
import { pageHeaders } from '@itsm/shared/api/pages/page-headers';
import { createStylesheet } from '@itsm/shared/api/pages/stylesheet';

const stylesheet = createStylesheet(/* css */ `
body { line-height: 1.6; }
.content { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1.25rem; }
.pages { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-bottom: 1rem; }
.pages a[aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
main { overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; }
h2 { font-size: 1.375rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1.125rem; margin: 1.5rem 0 .5rem; }
code { font: .9em var(--mono); }
pre { padding: .75rem 1rem; overflow-x: auto; background: var(--sunken); border: 1px solid var(--line); border-radius: 8px; overflow-wrap: normal; }
.scrolls { overflow-x: auto; margin: 0 0 1rem; }
table { border-collapse: collapse; }
th, td { overflow-wrap: break-word; padding: .375rem .75rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
td:last-child { min-width: 14rem; }
@media (max-width: 30rem) { .content { padding: .5rem; } }
`);

/** The bar, the navigation and the content. The link with the page's own title is marked as current. */
const layout = /* html */ `${barWith()}<div class="content"><% if (it.links.length > 0) { %><nav class="pages" aria-label="Pages">
<% for (const { address, text } of it.links) { %><a href="<%= address %>"<% if (text === it.title) { %> aria-current="page"<% } %>><%= text %></a>
<% } %></nav>
<% } %><main class="card">
<%~ it.body %></main></div>
`;

/** A link of the navigation. */
export interface Link {
  readonly address: string;
  readonly text: string;
}

const places = placesOfAnybody();

const render = createPages({ stylesheet, layout, isDocumentation: true });

/** Renders a page without script. */
export const renderPage = <Data extends object>({ data, ...page }: Page<Data>, links: readonly Link[] = []): string =>
  render({ ...page, data: { ...data, links, places } });

export const openHeaders = pageHeaders({ 'style-src': stylesheet.source });

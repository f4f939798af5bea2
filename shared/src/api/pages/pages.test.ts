import { createHash } from 'node:crypto';
import { barWith, placesOf, placesOfAnybody } from './bar';
import { createPages } from './page';
import { pageHeaders } from './page-headers';
import { createStylesheet } from './stylesheet';

const stylesheet = createStylesheet('main { margin: 0; }\n');
const render = createPages({ stylesheet });

test('all data is escaped: in the document, in the layout and in the page', () => {
  const within = createPages({ stylesheet, layout: '<header><%= it.name %></header><%~ it.body %>' });
  const name = '<b>"x"</b>&';
  const html = within({ title: name, template: '<main title="<%= it.name %>"><%= it.name %></main>', data: { name } });
  const escaped = '&lt;b&gt;&quot;x&quot;&lt;/b&gt;&amp;';
  expect(html).toContain(`<title>${escaped} · Service Management</title>`);
  expect(html).toContain(`<body>\n<header>${escaped}</header><main title="${escaped}">${escaped}</main></body>`);
});

test("the policy has the hash of the page's exact stylesheet", () => {
  const html = render({ title: 'A', template: '<main></main>', data: {} });
  const [, css = ''] = /<style>([^]*)<\/style>/.exec(html) ?? [];
  expect(css).toMatch(/main { margin: 0; }\n$/);
  const source = `'sha256-${createHash('sha256').update(css).digest('base64')}'`;
  expect(pageHeaders({ 'style-src': stylesheet.source })['Content-Security-Policy']).toContain(`style-src ${source};`);
});

test('a stylesheet can be served under a path, a theme can be fixed, and only documentation is for search engines', () => {
  const linked = createPages({ stylesheet: { stylesheetPath: '/style.css' }, isDocumentation: true });
  const page = { title: 'A', template: '', data: {} };
  expect(linked({ ...page, theme: 'dark' })).toContain('<html lang="en" data-theme="dark">');
  expect(linked(page)).toContain('<html lang="en">');
  expect(linked(page)).toContain('<link rel="stylesheet" href="/style.css">');
  expect(linked(page)).not.toMatch(/<style|robots/);
  expect(render(page)).toContain('<meta name="robots" content="noindex">');
});

test('a page has a restrictive policy, is not cached and sends no referrer', () => {
  expect(pageHeaders({})).toEqual({
    'Content-Security-Policy':
      "default-src 'none'; style-src 'none'; img-src data:; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  });
  const needs = { 'style-src': "'self'", 'form-action': undefined, sandbox: '', 'frame-src': 'https://a.example/' };
  expect(pageHeaders(needs)['Content-Security-Policy']).toBe(
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'; sandbox; frame-src https://a.example/",
  );
});

test('the bar links to console and profile, marks the current page, and escapes', () => {
  const withBar = createPages({ stylesheet, layout: `${barWith('<p>more</p>')}<%~ it.body %>` });
  const [console, profile] = placesOf('wdc', 'https://itsm.example');
  const places = [console, { ...profile, text: 'A & B', isCurrent: true }];
  const html = withBar({ title: 'A', template: '', data: { places, home: 'https://itsm.example/' } });
  expect(html).toContain('<a class="brand" href="https://itsm.example/">');
  expect(html).toContain('<a href="https://itsm.example/accounts/wdc">Console</a>');
  expect(html).toContain('<a href="https://itsm.example/oauth/profile" aria-current="page">A &amp; B</a>');
  expect(html).toContain('<p>more</p></div></header>');
  const alone = withBar({ title: 'A', template: '', data: { places: [] } });
  expect(alone).toContain('<a class="brand" href="/">');
  expect(alone).not.toContain('<nav');
  expect(placesOfAnybody().map(({ address }) => address)).toEqual(['/', '/oauth/profile']);
});

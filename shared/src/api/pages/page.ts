import { Eta } from 'eta';
import type { TemplateFunction } from 'eta';
import type { Stylesheet } from './stylesheet';

const documentTemplate = /* html */ `<!doctype html>
<html lang="en"<% if (it.theme) { %> data-theme="<%= it.theme %>"<% } %>>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<% if (!it.isDocumentation) { %><meta name="robots" content="noindex">
<% } %><title><%= it.title %> · Service Management</title>
<% if (it.stylesheetPath) { %><link rel="stylesheet" href="<%= it.stylesheetPath %>"><% } else { %><style><%~ it.css %></style><% } %>
<link rel="icon" href="data:,">
</head>
<body>
<%~ it.body %></body>
</html>
`;

/** The layout around a page; its slot is `it.body`. */
const bare = '<%~ it.body %>';

interface Options {
  /** An inlined stylesheet, or the path that serves it. */
  readonly stylesheet: Pick<Stylesheet, 'css'> | { readonly stylesheetPath: string };
  readonly layout?: string;
  /** Public pages, which search engines may index. */
  readonly isDocumentation?: boolean;
}

/** An Eta template, a constant of the code, and its data. Output is escaped. */
export interface Page<Data extends object> {
  readonly title: string;
  readonly template: string;
  readonly data: Data;
  /** Overrides the system's light or dark preference. */
  readonly theme?: 'light' | 'dark' | undefined;
}

type RenderPage = <Data extends object>(page: Page<Data>) => string;

export function createPages({ stylesheet, layout = bare, isDocumentation = false }: Options): RenderPage {
  const eta = new Eta({ autoEscape: true });
  // Compiled templates are cached, since compiling costs more than rendering; templates are constants, so the cache is
  // bounded.
  const compiled = new Map<string, TemplateFunction>();
  const renderText = (template: string, data: object): string => {
    const known = compiled.get(template) ?? eta.compile(template);
    compiled.set(template, known);
    return eta.render(known, data);
  };
  return ({ title, template, data, theme }) => {
    const shown = { ...data, title };
    const body = renderText(layout, { ...shown, body: renderText(template, shown) });
    return renderText(documentTemplate, { ...stylesheet, title, theme, isDocumentation, body });
  };
}

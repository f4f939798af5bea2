import { Router } from 'express';
import type { Request } from 'express';
import { checkSecure } from '../transport/peers';
import type { Peers } from '../transport/peers';
import { openHeaders, renderPage } from './page';

interface Dependencies {
  readonly baseUrl: string;
  readonly hasConsole: boolean;
  readonly peers: Peers;
}

/**
 * What a browser gets at `/graphql`: the console's explorer, or without a console a page about the endpoint. Any other
 * request is passed on. The console is on the host of BASE_URL, and a fragment with a query stays in the address.
 */
export function createEndpointRoutes({ baseUrl, hasConsole, peers }: Dependencies): Router {
  const page = renderPage({ title: 'GraphQL', template, data: { baseUrl } });
  // Middleware, not a route, since Express would answer OPTIONS for a route.
  return Router().use((req, res, next) => {
    if (!wantsPage(req)) return void next();
    checkSecure(peers, req);
    res.set({ ...openHeaders, 'Cache-Control': 'no-cache' }).vary('Accept');
    if (hasConsole) res.redirect(302, `${baseUrl}/console/explorer`);
    else res.type('html').send(page);
  });
}

/** A request with a token wants the schema, whatever it accepts. */
const wantsPage = (req: Request): boolean =>
  req.method === 'GET' &&
  req.headers.authorization === undefined &&
  req.path === '/' &&
  Object.keys(req.query).length === 0 &&
  req.accepts(['json', 'text', 'html']) === 'html';

const template = /* html */ `<h1>GraphQL</h1>
<p>This is the address of the GraphQL API. A call is a <code>POST</code> with JSON:</p>
<pre><code>curl <%= it.baseUrl %>/graphql \\
  -H 'Authorization: Bearer &lt;token&gt;' -H 'X-Service-Account: &lt;account&gt;' \\
  -H 'Content-Type: application/json' \\
  -d '{"query": "{ me { name } rateLimit { cost remaining } }"}'</code></pre>
<p>Tokens come from <a href="/oauth/profile">your profile</a>. The answer names the points of the call in <code>x-costlimit-cost</code>.</p>
<p><code>GET</code> with a token returns the schema: as the result of introspection, or with <code>Accept: text/plain</code> as text.</p>
<pre><code>curl <%= it.baseUrl %>/graphql -H 'Authorization: Bearer &lt;token&gt;' -H 'Accept: text/plain'</code></pre>
<p>The <a href="/docs/v1/graphql">documentation</a> has types, lists, errors and limits. There is no console here, and with it no explorer.</p>
`;

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import type { Request } from 'express';
import { codingFor } from '@itsm/shared/api/http/content-coding';
import { pageHeaders } from '@itsm/shared/api/pages/page-headers';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';

/** The build's output folder; the relative path is right for the sources and for the compiled code. */
const assets = join(__dirname, '../../dist/explorer/assets');
const compressed = '.gz';

/** The editor adds inline styles at run time; scripts come from this origin only (CSP 3). */
const headers = {
  ...pageHeaders({
    'script-src': "'self'",
    'worker-src': "'self'",
    'style-src': "'self' 'unsafe-inline'",
    'font-src': "'self'",
    'img-src': "'self' data:",
    'connect-src': "'self'",
  }),
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/**
 * Serves GraphiQL to browsers at the endpoint itself, and its bundles below; serves nothing when they were not built.
 */
export function createExplorerRoutes(): Router {
  const router = Router();
  const names = new Set(existsSync(assets) ? readdirSync(assets) : []);
  if (names.size === 0) return router;
  const page = pageOf(String(Math.floor(statSync(join(assets, 'explorer.js')).mtimeMs)));

  // Middleware, not a route, since Express would answer OPTIONS for a route.
  router.use((req, res, next) => {
    if (wantsPage(req))
      res
        .set({ ...headers, 'Cache-Control': 'no-cache', Vary: 'Accept' })
        .type('html')
        .send(page);
    else next();
  });
  router
    .route('/explorer/:name')
    .get((req, res, next) => {
      const { name } = req.params;
      if (!names.has(name) || name.endsWith(compressed)) {
        next('router');
        return;
      }
      const isCompressed = codingFor(req, ['gzip']) === 'gzip' && names.has(name + compressed);
      res.type(name).set({ ...headers, 'Cache-Control': 'public, max-age=86400', Vary: 'Accept-Encoding' });
      if (isCompressed) res.set('Content-Encoding', 'gzip');
      res.sendFile(isCompressed ? name + compressed : name, { root: assets, cacheControl: false });
    })
    .all(methodNotAllowed('GET'));
  return router;
}

/** A request with a token wants the schema, whatever it accepts. */
const wantsPage = (req: Request): boolean =>
  req.method === 'GET' &&
  req.headers.authorization === undefined &&
  req.path === '/' &&
  Object.keys(req.query).length === 0 &&
  req.accepts(['json', 'text', 'html']) === 'html';

const pageOf = (version: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphQL explorer · Service Management</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/graphql/explorer/explorer.css?${version}">
<script defer src="/graphql/explorer/explorer.js?${version}"></script>
</head>
<body>
<div id="explorer"><header class="bar"><h1>GraphQL explorer</h1></header><p class="waiting" role="status">The editor is loading …</p></div>
<noscript>GraphiQL needs JavaScript. The schema: GET /graphql with a token.</noscript>
</body>
</html>
`;

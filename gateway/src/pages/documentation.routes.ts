import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { createFixedText } from '../transport/fixed-text';
import { openHeaders, renderPage } from './page';

interface Page {
  readonly name: string;
  readonly title: string;
  readonly html: string;
}

/** The build's output; the relative path is right for the sources and for the compiled code. */
const builtPages = join(__dirname, '../../dist/documentation/pages.json');

/** The built HTML is trusted, so it is not escaped. */
const template = '<%~ it.html %>';

/** The origin of `npm start`, in the commands of the documents. */
const ofLocalMode = 'http://localhost:4000';

/**
 * The commands of a page call the platform that serves it, so that they can be pasted as they are. The URL is an origin,
 * and the operator's setting.
 */
const withOrigin = (html: string, baseUrl: string): string =>
  html.replace(/<pre[^]*?<\/pre>/g, (block) => block.replaceAll(ofLocalMode, () => baseUrl));

/**
 * Serves the API documentation as pages, such as `/docs/v1/webhooks`, with `baseUrl` in their commands; serves nothing when
 * they were not built.
 */
export function createDocumentationRoutes(baseUrl: string, file = builtPages): Router {
  const built = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Page[]) : [];
  const pages = built.map((page) => ({ ...page, html: withOrigin(page.html, baseUrl) }));
  const links = pages.map(({ name, title }) => ({ address: `/docs/v1/${name}`, text: title }));
  const texts = new Map(
    pages.map(({ name, title, html }) => [
      name,
      createFixedText(renderPage({ title, template, data: { html } }, links)),
    ]),
  );
  const router = Router();
  const [first] = links;
  if (first) router.get('/docs/v1', (_req, res) => res.redirect(first.address));
  router
    .route('/docs/v1/:name')
    .get((req, res, next) => {
      const text = texts.get(req.params.name);
      if (text === undefined) next();
      else text.send(req, res.set({ ...openHeaders, 'Cache-Control': 'public, max-age=3600' }).type('html'));
    })
    .all((req, res, next) => {
      if (texts.has(req.params.name)) methodNotAllowed('GET')(req, res, next);
      else next();
    });
  return router;
}

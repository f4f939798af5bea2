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

/** Serves the API documentation as pages, such as `/docs/v1/webhooks`; serves nothing when they were not built. */
export function createDocumentationRoutes(file = builtPages): Router {
  const pages = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Page[]) : [];
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

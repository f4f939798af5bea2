import { Router } from 'express';
import type { RequestHandler, Response } from 'express';
import { AppError } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { recordIdIn } from '@itsm/shared/api/http/record-id';
import { pageHeaders } from '@itsm/shared/api/pages/page-headers';
import { allow } from '@itsm/shared/api/identity/allow';
import { checkSeesAccount } from '@itsm/shared/api/identity/sees-account';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import type { Addressing } from '../extensions/extension.http';
import { parseLocale } from '../contents/translation';
import { previewContent } from './preview-content';
import { missingPreviewPage, previewPage, themes, widths, previewStylesheet } from './preview.page';
import type { Look } from './preview.page';
import type { PreviewService } from './preview.service';

interface Dependencies {
  readonly addressing: Addressing;
  readonly previews: PreviewService;
}

/** Creates previews, for API callers. Mounted at `/ui_extensions`. */
export function createPreviewRoutes({ addressing, previews }: Dependencies): Router {
  const idOf = recordIdIn(addressing.nodeIdDomain, 'UiExtension');
  const router = Router();
  router
    .route('/:id/preview')
    .post(allow('ui-extension:Read'), async (req, res) => {
      checkSeesAccount(callerOf(req));
      const opened = await previews.open(callerOf(req).accountId, idOf(req));
      const { id, versionNr } = opened.extension.prepared;
      res.status(201).set('Cache-Control', 'no-store');
      res.json({
        uri: `${addressing.baseUrl}/ui_extension_previews/${opened.token}`,
        expires_at: presentTime(opened.expiresAt),
        version: { id, version_nr: versionNr },
      });
    })
    .all(methodNotAllowed('POST'));
  return router;
}

/** No scripts, no connections, no session: `sandbox` gives the document an opaque origin. */
const contentHeaders = pageHeaders({ sandbox: '', 'style-src': "'unsafe-inline'", 'frame-ancestors': "'self'" });

const headersOf = (frame?: string) => pageHeaders({ 'style-src': previewStylesheet.source, 'frame-src': frame });

/** The preview pages; the token in the URL authorizes. Mounted at `/ui_extension_previews`. */
export function createPreviewPageRoutes({ addressing, previews }: Dependencies): Router {
  const pathOf = (token: string): string => `/ui_extension_previews/${token}`;
  const send = (res: Response, itsHeaders: Readonly<Record<string, string>>, html: string): void =>
    void res.set(itsHeaders).type('html').send(html);
  const router = Router();
  router.use(headers);

  router
    .route('/:token')
    .get(async (req, res) => {
      const { token } = req.params;
      const extension = await previews.show(token);
      const frame = `${addressing.baseUrl}${pathOf(token)}/content`;
      send(
        res,
        headersOf(frame),
        previewPage(extension, lookIn(req.query), { origin: addressing.baseUrl, path: pathOf(token) }),
      );
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/:token/content')
    .get(async (req, res) => {
      // Served only into a frame (Fetch Metadata, `Sec-Fetch-Dest`): as a top-level page its links would work.
      if ((req.get('sec-fetch-dest') ?? 'iframe') !== 'iframe') {
        res.redirect(303, req.originalUrl.replace('/content', ''));
        return;
      }
      const extension = await previews.show(req.params.token);
      const css = await previews.stylesheetOf(extension);
      send(res, contentHeaders, previewContent(extension, css, lookIn(req.query)));
    })
    .all(methodNotAllowed('GET'));

  router.use((error: unknown, _req: unknown, res: Response, next: (error: unknown) => void) => {
    if (!(error instanceof AppError) || error.code !== 'not_found') next(error);
    else send(res.status(404), headersOf(), missingPreviewPage(addressing.baseUrl));
  });
  return router;
}

const headers: RequestHandler = (_req, res, next) => {
  res.set({
    ...headersOf(),
    // No DNS lookups for the host names in links.
    'X-DNS-Prefetch-Control': 'off',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  });
  next();
};

/** The choices in the query; an unknown value becomes the first choice. */
function lookIn(query: Readonly<Record<string, unknown>>): Look {
  const locale = query['locale'];
  return {
    theme: themes.find((theme) => theme === query['theme']) ?? 'auto',
    width: widths.find((width) => width === query['width']) ?? 'full',
    locale: (typeof locale === 'string' ? parseLocale(locale) : undefined) ?? '',
  };
}

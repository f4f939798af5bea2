import type { Logger } from '@itsm/shared/observing/logs/logger';
import { notFound } from '@itsm/shared/base/errors/app-error';
import express from 'express';
import type { RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { showErrors } from './page-errors';
import { strictHeaders } from './page';
import { stylesheet, stylesheetPath } from './stylesheet';

/** What all pages have in common, around the `routers` of the single ones. */
export function createPageRoutes(identify: RequestHandler, routers: readonly Router[], logger: Logger): Router {
  const router = express.Router();
  router.get(stylesheetPath.replace('/oauth', ''), (_req, res) => {
    res.set('Cache-Control', 'public, max-age=31536000, immutable').type('css').send(stylesheet);
  });
  router.use(headers, setStrictHeaders, identify, express.urlencoded({ extended: false, limit: '16kb' }), ...routers);
  router.use(() => {
    throw notFound();
  });
  router.use(showErrors(logger));
  return router;
}

const headers = helmet({
  // The page kit sets these; the policy of a page that leads on to an application is its own.
  contentSecurityPolicy: false,
  referrerPolicy: false,
  xContentTypeOptions: false,
  // Applications that open the authorization in a window of their own still hear of its end.
  crossOriginOpenerPolicy: false,
  xFrameOptions: { action: 'deny' },
});

const setStrictHeaders: RequestHandler = (_req, res, next) => {
  res.set(strictHeaders);
  next();
};

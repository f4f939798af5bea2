import { formBody } from '@itsm/shared/api/http/form-body';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { notFound } from '@itsm/shared/base/errors/app-error';
import express from 'express';
import type { ErrorRequestHandler, RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { answerErrors } from '@itsm/shared/api/http/error-handler';
import { requestIdOf } from '@itsm/shared/api/http/request-id';
import { sendPage, strictHeaders } from './page';
import { stylesheet, stylesheetPath } from './stylesheet';
import { visitorOf } from './visitor';

/** Parses the form of a request. Idempotent. */
export const readForm = formBody('32kb');

/** The common middleware of all pages, around the pages' `routers`. `early` runs before the visitor is identified. */
export function createPageRoutes(
  early: RequestHandler,
  identify: RequestHandler,
  routers: readonly (Router | RequestHandler)[],
  logger: Logger,
): Router {
  const router = express.Router();
  router.get(stylesheetPath.replace('/oauth', ''), (_req, res) => {
    res.set('Cache-Control', 'public, max-age=31536000, immutable').type('css').send(stylesheet);
  });
  router.use(headers, setStrictHeaders, early, identify, readForm, ...routers);
  router.use(() => {
    throw notFound();
  });
  router.use(showErrors(logger));
  return router;
}

const headers = helmet({
  // `sendPage` sets this header, since pages that lead to an application have another policy.
  contentSecurityPolicy: false,
  referrerPolicy: false,
  xContentTypeOptions: false,
  // Off, so that an application that opens the authorization in a popup keeps its window handle.
  crossOriginOpenerPolicy: false,
  xFrameOptions: { action: 'deny' },
});

const setStrictHeaders: RequestHandler = (_req, res, next) => {
  res.set(strictHeaders);
  next();
};

/** Shows refusals and internal errors as a page. */
const showErrors = (logger: Logger): ErrorRequestHandler =>
  answerErrors(logger, 'page failed', (req, res, { status, refused, isFault }) => {
    const isExplained = !isFault || refused?.code === 'insufficient_storage';
    const data = { text: textOf(status, isExplained ? refused?.message : undefined), requestId: requestIdOf(req) };
    sendPage(res, status, { title: titleOf(status), template: messageTemplate, data }, visitorOf(req));
  });

function titleOf(status: number): string {
  if (status === 404) return 'Not found';
  if (status >= 500) return 'Something went wrong';
  return 'This request cannot be completed';
}

function textOf(status: number, message: string | undefined): string {
  if (status === 404) return 'This page does not exist, was used before, or belongs to somebody else.';
  return message ?? 'The fault is on our side. Please try again in a moment.';
}

const messageTemplate = /* html */ `<main class="narrow"><div class="card">
<h1><%= it.title %></h1>
<p><%= it.text %></p>
<% if (it.requestId) { %><p class="muted small">Reference: <%= it.requestId %></p><% } %>
<a href="/oauth/profile"><% if (it.person) { %>Go to your profile<% } else { %>Go to sign-in<% } %></a>
</div></main>
`;

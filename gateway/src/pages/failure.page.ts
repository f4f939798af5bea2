import type { ErrorRequestHandler, Request } from 'express';
import { answerErrors, logRefusal } from '@itsm/shared/api/http/error-handler';
import { requestIdOf } from '@itsm/shared/api/http/request-id';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { openHeaders, renderPage } from './page';

/** Shows the failure of a request for a page as a page, such as when a service is out of reach; other requests get JSON. */
export function createFailurePage(logger: Logger): ErrorRequestHandler {
  const show = answerErrors(logger, 'page failed', (req, res, { status, refused, isFault }) => {
    if (refused && !isFault) logRefusal(logger, req, [refused.code]);
    const data = { text: textOf(status, refused?.message), requestId: requestIdOf(req) };
    const page = renderPage({ title: titleOf(status), template, data });
    res.set(openHeaders).set('Cache-Control', 'no-store').type('html').send(page);
  });
  return (error: unknown, req, res, next) => {
    if (isForPage(req)) show(error, req, res, next);
    else next(error);
  };
}

const isForPage = (req: Request): boolean =>
  /^\/(?:$|(?:oauth|accounts|console|ui_extension_previews)(?:\/|$))/.test(req.path) &&
  /\btext\/html\b/i.test(req.get('accept') ?? '');

const titleOf = (status: number): string =>
  status >= 500 ? 'Not available at the moment' : 'This request cannot be completed';

const textOf = (status: number, message = ''): string =>
  status >= 500 ? 'The platform is not available at the moment. Please try again in a moment.' : message;

const template = /* html */ `<h1><%= it.title %></h1>
<p><%= it.text %></p>
<p>Reference: <%= it.requestId %></p>
`;

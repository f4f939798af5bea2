import { statusOf } from '@itsm/shared/base/errors/app-error';
import { isFault, toAppError } from '@itsm/shared/api/http/error-handler';
import { requestIdOf } from '@itsm/shared/api/http/request-id';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { ErrorRequestHandler } from 'express';
import { visitorOf } from './visitor';
import { messageTemplate } from './message.page';
import { sendPage } from './page';

/** Refusals and faults as a page, for the people who look at this part of the service. */
export const showErrors =
  (logger: Logger): ErrorRequestHandler =>
  (error: unknown, req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    const requestId = requestIdOf(req);
    const refused = toAppError(error);
    if (isFault(error)) logger.error('page failed', { requestId, method: req.method, path: req.path, error });
    const status = refused ? statusOf[refused.code] : 500;
    const text = textOf(status, isFault(error) ? undefined : refused?.message);
    res.set(refused?.details.headers ?? {});
    sendPage(
      res,
      status,
      { title: titleOf(status), template: messageTemplate, data: { text, requestId } },
      visitorOf(req),
    );
  };

function titleOf(status: number): string {
  if (status === 404) return 'Not found';
  if (status >= 500) return 'Something went wrong';
  return 'This request cannot be completed';
}

function textOf(status: number, message: string | undefined): string {
  if (status === 404) return 'This page does not exist, has been used already, or belongs to somebody else.';
  return message ?? 'The fault is on our side. Please try again in a moment.';
}

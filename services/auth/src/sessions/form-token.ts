import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '@itsm/shared/base/errors/app-error';
import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Request, RequestHandler } from 'express';
import type { UsedOnceRepository } from '../security/used-once.repository';
import { sessionMilliseconds } from './session';
import { signedInOf, visitorOf } from './visitor';

/** The CSRF token of every form. It is derived from the cookie, so other sites do not know it. */
export const formTokenOf = (cookie: string): string =>
  createHmac('sha256', cookie).update('form token').digest('base64url');

/** The fields of a page's form with them; see `checkForm` and `checkFirst`. */
export const hiddenFormToken = /* html */ `<input type="hidden" name="form_token" value="<%= it.formToken %>">`;
export const hiddenFormId = /* html */ `<input type="hidden" name="form_id" value="<%= it.formId %>">`;

/** The hidden id of a form that is carried out once: a new one on every page. */
export const newFormId = (): string => randomBytes(16).toString('base64url');

/**
 * Redirects a repeated form to `page`, because reloading an answer sends its form again. Use after `checkForm`. Forms
 * of the previous release have no id.
 */
export const checkFirst =
  (usedOnce: UsedOnceRepository, now: Clock, page: (req: Request) => string): RequestHandler =>
  async (req, res, next) => {
    const { form_id: formId } = req.body as { readonly form_id?: unknown };
    const { sessionDigest } = signedInOf(req);
    const until = new Date(now().getTime() + sessionMilliseconds);
    const isFirst =
      typeof formId !== 'string' || (await usedOnce.use(digestOf(`form ${sessionDigest} ${formId}`), until));
    if (isFirst) next();
    else res.redirect(303, `${page(req)}?done=sent-before`);
  };

/** CSRF check: refuses forms of other sites, and of pages of another session. */
export const checkForm: RequestHandler = (req, _res, next) => {
  const site = req.get('sec-fetch-site');
  const fromElsewhere = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (fromElsewhere || !hasFormToken(req)) {
    throw new AppError(
      'forbidden',
      'This form has expired or belongs to another session. Go back, reload and try again.',
    );
  }
  next();
};

function hasFormToken(req: Request): boolean {
  const { cookie } = visitorOf(req);
  const given: unknown = (req.body as Record<string, unknown> | undefined)?.['form_token'];
  if (cookie === undefined || typeof given !== 'string') return false;
  const [actual, expected] = [Buffer.from(given), Buffer.from(formTokenOf(cookie))];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

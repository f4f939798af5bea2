import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '@itsm/shared/base/errors/app-error';
import type { Request, RequestHandler } from 'express';
import { visitorOf } from './visitor';

/** The hidden field of every form; only pages that were shown to this browser's session know its value. */
export const formTokenOf = (cookie: string): string =>
  createHmac('sha256', cookie).update('form token').digest('base64url');

/** Refuses forms that come from elsewhere: another site, or a page of another session. */
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
  const [one, other] = [Buffer.from(given), Buffer.from(formTokenOf(cookie))];
  return one.length === other.length && timingSafeEqual(one, other);
}

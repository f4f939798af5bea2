import type { Request, RequestHandler } from 'express';
import { hideSignIn, visitorOf } from '../sessions/visitor';
import type { FactorService } from './factor.service';
import { factorsAddress } from './factors.page';

/** Paths that a person without the required factor may open. */
const open = /^\/(profile\/sign-in(\/|$)|session$|sign-out$|passkeys-|style-)/;

/**
 * Enforces the second factor where the account requires one: redirects people without a factor to the page that adds
 * it, and then back. Mounted before all other pages.
 */
export const requireEnrolment =
  (factors: FactorService): RequestHandler =>
  async (req, res, next) => {
    const { signedIn } = visitorOf(req);
    if (!signedIn?.account.secondFactorRequired || open.test(req.path)) return next();
    const { accountId, id } = signedIn.person;
    if (await factors.has(accountId, id)) return next();
    // The request waits as it does for a person who is not signed in.
    if (req.path === '/authorize') {
      hideSignIn(req);
      return next();
    }
    res.redirect(303, `${factorsAddress}?next=${encodeURIComponent(nextOf(req))}`);
  };

/** Where to go once the factor is added. The sign-in page checks that address, and redirects people who are signed in. */
const nextOf = (req: Request): string => {
  const { next } = req.query;
  if (req.path === '/sign-in') return typeof next === 'string' ? next : '';
  return req.method === 'GET' ? `/oauth${req.path}` : '';
};

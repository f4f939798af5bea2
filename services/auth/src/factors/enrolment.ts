import type { Request, RequestHandler } from 'express';
import { hideSignIn, visitorOf } from '../sessions/visitor';
import type { FactorService } from './factor.service';
import { factorsAddress } from './factors.page';

/** The paths that are open to a person who still has to add a factor. */
const open = /^\/(profile\/sign-in(\/|$)|session$|sign-out$|passkeys-|style-)/;

/**
 * Where an account requires a second factor, sends people without one to the page where they add it, and then back to the page
 * that they asked for. It stands before all other pages.
 */
export const requireEnrolment =
  (factors: FactorService): RequestHandler =>
  async (req, res, next) => {
    const { signedIn } = visitorOf(req);
    if (!signedIn?.account.secondFactorRequired || open.test(req.path)) return next();
    const { accountId, id } = signedIn.person;
    if (await factors.has(accountId, id)) return next();
    // The request waits as that of somebody who has to sign in first.
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

import type { Request, RequestHandler } from 'express';
import { hideSignIn, visitorOf } from '../sessions/visitor';
import type { FactorService } from './factor.service';
import { factorsAddress } from './factors.page';

/** What somebody without a factor still needs. */
const open = /^\/(profile\/sign-in(\/|$)|session$|sign-out$|passkeys-|style-)/;

/**
 * Leads people of an account that requires a second factor to the page where they add one, before anything else; from there
 * they come back to where they wanted to go. It stands before all other pages.
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

/** The sign-in page knows where a browser may go, and passes on who is signed in by then. */
const nextOf = (req: Request): string => {
  const { next } = req.query;
  if (req.path === '/sign-in') return typeof next === 'string' ? next : '';
  return req.method === 'GET' ? `/oauth${req.path}` : '';
};

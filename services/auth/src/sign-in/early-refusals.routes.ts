import express from 'express';
import type { RequestHandler, Router } from 'express';
import { readForm } from '../sessions/page.routes';
import type { KnownBrowser } from './known-browser';
import { addressOf, recognize, signInForm } from './sign-in-form';
import type { SignInService } from './sign-in.service';

/** Load shedding before all other pages: refuses sign-in attempts that are throttled, or too many. */
export function createEarlyRefusalRoutes(signIn: SignInService, knownBrowser: KnownBrowser): Router {
  const refuseNetwork: RequestHandler = (req, _res, next) => {
    signIn.refuseNetwork(addressOf(req), knownBrowser.nameOf(req));
    next();
  };
  const refuseAgain: RequestHandler = (req, _res, next) => {
    const form = signInForm.safeParse(req.body);
    if (form.success) signIn.refuseAgain(recognize(form.data, req, knownBrowser));
    next();
  };
  const router = express.Router();
  router.post('/sign-in', refuseNetwork, readForm, refuseAgain);
  return router;
}

import { departureOf } from '@itsm/shared/api/http/departure';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Router } from 'express';
import { checkForm } from '../sessions/form-token';
import { visitorOf } from '../sessions/visitor';
import { accountIn } from './authorization-request';
import { countsFor } from './authorize.service';
import type { KnownBrowser } from './known-browser';
import { nextPageOf } from './next-page';
import { parseForm, recognize } from './sign-in-form';
import type { SignInPages } from './sign-in.http';
import type { SignInService } from './sign-in.service';
import { waitingIn } from './waiting-requests';
import type { WaitingRequests } from './waiting-requests';

interface Dependencies {
  readonly signIn: Pick<SignInService, 'signIn'>;
  readonly pages: SignInPages;
  readonly waiting: WaitingRequests;
  readonly knownBrowser: KnownBrowser;
}

/** `GET/POST /oauth/sign-in`: the form, and an attempt with address and password. */
export function createSignInRoutes({ signIn, pages, waiting, knownBrowser }: Dependencies): Router {
  const router = express.Router();
  router
    .route('/sign-in')
    .get(async (req, res) => {
      const next = nextPageOf(req.query['next']);
      const request = waitingIn(waiting, next);
      const { signedIn } = visitorOf(req);
      if (signedIn && (!request || countsFor(signedIn, request, request.signInAfter))) res.redirect(303, next);
      else {
        // The account from the query (a link, or the form for an account's providers), or from the application's request.
        const account = accountIn(req.query) ?? request?.account ?? '';
        await pages.show(req, res, { email: request?.loginHint ?? '', account, next });
      }
    })
    .post(checkForm, async (req, res) => {
      const form = parseForm(req.body);
      const browser = { cookie: visitorOf(req).cookie, knownBrowserOf: knownBrowser.read(req) };
      const attempt = { ...form, ...recognize(form, req, knownBrowser), ...browser };
      await pages.answer(req, res, await signIn.signIn(attempt, departureOf(res)), form);
    })
    .all(methodNotAllowed('GET', 'POST'));
  return router;
}

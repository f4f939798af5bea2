import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Router } from 'express';
import type { FactorsModule } from '../factors/module';
import { formCookieOf } from '../sessions/form-cookie';
import { checkForm } from '../sessions/form-token';
import type { SessionCookie } from '../sessions/session-cookie';
import type { KnownBrowser } from './known-browser';
import { nextPageOf } from './next-page';
import type { SignInPages } from './sign-in.http';
import type { SignInService } from './sign-in.service';

interface Dependencies {
  readonly signIn: Pick<SignInService, 'complete'>;
  readonly pages: SignInPages;
  readonly factors: Pick<FactorsModule, 'passkeys' | 'pending'>;
  readonly cookie: SessionCookie;
  readonly knownBrowser: KnownBrowser;
}

/** `POST /oauth/sign-in/passkey`: a passkey instead of the password; it is the second factor too. */
export function createPasskeySignInRoutes({ signIn, pages, factors, cookie, knownBrowser }: Dependencies): Router {
  const router = express.Router();
  router
    .route('/sign-in/passkey')
    .post(checkForm, async (req, res) => {
      const { passkey = '', next: given } = req.body as { passkey?: unknown; next?: unknown };
      const next = nextPageOf(given);
      const id = formCookieOf(req, res, cookie);
      const ceremony = { purpose: 'sign-in', cookie: id, verifiesPerson: true } as const;
      const used = await factors.passkeys.check(ceremony, typeof passkey === 'string' ? passkey : '');
      const person = used && (await factors.pending.enabledPerson(used.accountId, used.personId));
      if (!person) {
        const problem = 'The passkey was not accepted. Please try again, or sign in with your password.';
        return pages.show(req, res, { email: '', account: '', next }, { status: 401, problem });
      }
      const { sessionId } = await signIn.complete(person, id, {
        shown: 'passkey',
        atProvider: false,
        provedFactor: true,
      });
      cookie.write(res, sessionId);
      knownBrowser.write(res, person);
      return res.redirect(303, next);
    })
    .all(methodNotAllowed('POST'));
  return router;
}

import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { byInputNames } from '@itsm/shared/declared/read-input';
import express from 'express';
import type { Request, RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import { personType } from '../directory/person';
import { checkForm } from '../sessions/form-token';
import { sendPage } from '../sessions/page';
import type { SessionCookie } from '../sessions/session-cookie';
import type { SessionService } from '../sessions/session.service';
import { requireSignIn, signedInOf, visitorOf } from '../sessions/visitor';
import { changeAddressTemplate, changePasswordTemplate } from './own-credentials.page';
import type { CredentialOutcome, OwnCredentials } from './own-credentials.service';
import { outcomeOf, parseForm } from './page.http';
import type { Outcome } from './page.http';

interface Dependencies {
  readonly ownCredentials: OwnCredentials;
  readonly sessions: SessionService;
  readonly cookie: SessionCookie;
  /** Whether there is a mail server. */
  readonly areSent: boolean;
  readonly requireFreshFirst: RequestHandler;
}

const text = z.string().max(1024);
const passwordForm = z.object({ current: text, password: text, again: text });
const addressForm = z.object({ current: text, primaryEmail: text });

/** The error of a form, and its field. */
interface Problem {
  readonly status: number;
  readonly field: string;
  readonly problem: string;
}

/** `/oauth/profile/password` and `/oauth/profile/address`. */
export function createOwnCredentialsRoutes(dependencies: Dependencies): Router {
  const { ownCredentials, sessions, cookie, areSent, requireFreshFirst } = dependencies;

  function showPassword(req: Request, res: Response, refused?: Problem): void {
    const data = { field: refused?.field, problem: refused?.problem };
    const page = { title: 'Change your password', template: changePasswordTemplate, data };
    sendPage(res, refused?.status ?? 200, page, visitorOf(req));
  }

  function showAddress(
    req: Request,
    res: Response,
    more: Partial<Problem> & { primaryEmail?: string; sentTo?: string } = {},
  ) {
    const { status = 200, primaryEmail = '', sentTo, field, problem } = more;
    const data = { areSent, primaryEmail, sentTo, field, problem };
    sendPage(
      res,
      status,
      { title: 'Change your e-mail address', template: changeAddressTemplate, data },
      visitorOf(req),
    );
  }

  async function changePassword(req: Request, res: Response) {
    const { current, password, again } = parseForm(passwordForm, req.body);
    if (password !== again) {
      showPassword(req, res, { status: 422, field: 'password', problem: 'The two passwords are different' });
      return;
    }
    const signedIn = signedInOf(req);
    const outcome = await outcomeOf(ownCredentials.changePassword(signedIn.person, current, password));
    const problem = problemIn(res, outcome);
    if (problem) showPassword(req, res, problem);
    else if ('done' in outcome && outcome.done.kind === 'done') {
      const changed = outcome.done.done;
      // A password alone is no step-up, so the new session keeps the age and the expiry of the former.
      const { authenticatedAt, expiresAt, provedFactor } = signedIn;
      const kept = { authenticatedAt, expiresAt, provedFactor };
      cookie.write(res, await sessions.begin(changed.accountId, changed, visitorOf(req).cookie, kept));
      res.redirect(303, '/oauth/profile?done=password');
    }
  }

  async function changeAddress(req: Request, res: Response) {
    const { current, primaryEmail } = parseForm(addressForm, req.body);
    if (!areSent) {
      showAddress(req, res);
      return;
    }
    const { person } = signedInOf(req);
    const outcome = await outcomeOf(ownCredentials.askForAddress(person, current, primaryEmail));
    const problem = problemIn(res, outcome);
    if (problem) showAddress(req, res, { ...problem, primaryEmail });
    else if ('done' in outcome && outcome.done.kind === 'done') showAddress(req, res, { sentTo: outcome.done.done });
  }

  const router = express.Router();
  /** People without a password cannot change anything here and are shown why. */
  const askFirst: RequestHandler = (req, res, next) =>
    signedInOf(req).person.password === null ? next() : requireFreshFirst(req, res, next);
  router.use(['/profile/password', '/profile/address'], requireSignIn('/oauth/profile'));
  router
    .route('/profile/password')
    .get(askFirst, (req, res) => showPassword(req, res))
    .post(checkForm, askFirst, changePassword)
    .all(methodNotAllowed('GET', 'POST'));
  router
    .route('/profile/address')
    .get(askFirst, (req, res) => showAddress(req, res))
    .post(checkForm, askFirst, changeAddress)
    .all(methodNotAllowed('GET', 'POST'));
  return router;
}

function problemIn<T>(res: Response, outcome: Outcome<CredentialOutcome<T>>): Problem | undefined {
  if ('errors' in outcome) {
    const [[field, text] = ['password', '']] = byInputNames(personType, outcome.errors);
    // The name of the field in the API; on the page it is "New e-mail address".
    return { status: 422, field, problem: text.replace(/^Primary email\b/, 'The new e-mail address') };
  }
  const { done } = outcome;
  if (done.kind === 'wrong password')
    return { status: 422, field: 'current', problem: 'The current password is wrong' };
  if (done.kind !== 'throttled') return undefined;
  res.set('Retry-After', String(done.seconds));
  const minutes = Math.ceil(done.seconds / 60);
  const problem = `Too many attempts. Please try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
  return { status: 429, field: 'current', problem };
}

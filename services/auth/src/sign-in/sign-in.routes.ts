import { badRequest } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import type { ApplicationRepository } from '../clients/application.repository';
import type { WaitingRequests } from './waiting-requests';
import { sendPage } from '../sessions/page';
import { checkForm } from '../sessions/form-token';
import type { SessionCookie } from '../sessions/session-cookie';
import type { SessionService } from '../sessions/session.service';
import { newSessionId } from '../sessions/session.service';
import { visitorOf } from '../sessions/visitor';
import type { KnownBrowser } from './known-browser';
import { nextPageOf, waitingApplication } from './next-page';
import type { SignInOutcome, SignInService } from './sign-in.service';
import { signInTemplate } from './sign-in.page';

interface Dependencies {
  readonly signIn: SignInService;
  readonly sessions: SessionService;
  readonly applications: ApplicationRepository;
  readonly waiting: WaitingRequests;
  readonly cookie: SessionCookie;
  readonly knownBrowser: KnownBrowser;
}

const signInForm = z.object({
  email: z.string().max(254),
  password: z.string().max(1024),
  account: z.string().max(64).default(''),
  next: z.string().max(512).default(''),
});
type SignInForm = z.infer<typeof signInForm>;

/** `GET/POST /oauth/sign-in` and `POST /oauth/sign-out`. */
export function createSignInRoutes(dependencies: Dependencies): Router {
  const { signIn, sessions, applications, waiting, cookie, knownBrowser } = dependencies;

  async function show(req: Request, res: Response, form: Omit<SignInForm, 'password'>, refused?: Refused) {
    const application = await waitingApplication(applications, waiting, form.next);
    const account = form.account || (application?.accountId ?? '');
    const data = { ...form, account, application: application?.name, problem: refused?.problem };
    // Signing in may lead straight back to an application that was allowed before.
    const leadsAway = application !== undefined;
    const page = { title: 'Sign in', template: signInTemplate, data, leadsAway };
    sendPage(res, refused?.status ?? 200, page, { cookie: cookieFor(req, res), signedIn: undefined });
  }

  /** A form needs a cookie to be tied to; the one of a browser that has none yet means nothing else. */
  function cookieFor(req: Request, res: Response): string {
    const known = visitorOf(req).cookie;
    if (known !== undefined) return known;
    const fresh = newSessionId();
    cookie.write(res, fresh);
    return fresh;
  }

  const router = express.Router();
  router
    .route('/sign-in')
    .get(async (req, res) => {
      const next = nextPageOf(req.query['next']);
      if (visitorOf(req).signedIn) res.redirect(303, next);
      else await show(req, res, { email: '', account: '', next });
    })
    .post(checkForm, async (req, res) => {
      const form = parseForm(req.body);
      const ip = req.ip ?? 'unknown';
      const accountId = form.account.trim().toLowerCase() || undefined;
      const browser = { cookie: visitorOf(req).cookie, knownBrowser: knownBrowser.read(req, form.email) };
      const outcome = await signIn.signIn({ ...form, accountId, ip, ...browser });
      if (outcome.kind === 'signed in') {
        cookie.write(res, outcome.sessionId);
        knownBrowser.write(res, form.email);
        res.redirect(303, form.next);
        return;
      }
      if (outcome.kind === 'throttled') res.set('Retry-After', String(outcome.seconds));
      await show(req, res, form, refusalOf(outcome));
    })
    .all(methodNotAllowed('GET', 'POST'));
  router
    .route('/sign-out')
    .post(checkForm, async (req, res) => {
      const { cookie: id } = visitorOf(req);
      if (id !== undefined) await sessions.end(id);
      cookie.clear(res);
      const { next } = req.body as { next?: unknown };
      res.redirect(303, `/oauth/sign-in?next=${encodeURIComponent(nextPageOf(next))}`);
    })
    .all(methodNotAllowed('POST'));
  return router;
}

function parseForm(body: unknown): SignInForm {
  const result = signInForm.safeParse(body);
  if (!result.success) throw badRequest('The sign-in form is incomplete.');
  return { ...result.data, next: nextPageOf(result.data.next) };
}

interface Refused {
  readonly status: number;
  readonly problem: string;
}

function refusalOf(outcome: Exclude<SignInOutcome, { kind: 'signed in' }>): Refused {
  if (outcome.kind === 'refused') return { status: 401, problem: 'The e-mail address or the password is not right.' };
  const { seconds } = outcome;
  const wait =
    seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return { status: 429, problem: `There were too many attempts. Please try again in ${wait}.` };
}

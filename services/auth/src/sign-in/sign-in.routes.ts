import { badRequest } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import type { ApplicationRepository } from '../clients/application.repository';
import { sendPage } from '../sessions/page';
import { checkForm } from '../sessions/form-token';
import type { SessionCookie } from '../sessions/session-cookie';
import { newSessionId } from '../sessions/session.service';
import type { SessionService } from '../sessions/session.service';
import { visitorOf } from '../sessions/visitor';
import type { Application } from '../clients/application';
import { toQuery } from './authorization-request';
import { checkTarget } from './check-target';
import type { KnownBrowser } from './known-browser';
import type { SignInOutcome, SignInService } from './sign-in.service';
import { waitingIdOf } from './waiting-requests';
import type { WaitingRequests } from './waiting-requests';

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

const profile = '/oauth/profile';

/** Where to go after sign-in: an authorization request that waits, a page for administrators, or the profile. Never another site. */
function nextPageOf(given: unknown): string {
  if (typeof given !== 'string') return profile;
  const isOurs = waitingIdOf(given) !== undefined || /^\/oauth\/administration\/[\x21-\x7e]*$/.test(given);
  return isOurs ? given : profile;
}

/** The application whose authorization request waits behind `next`. */
async function waitingApplication(
  applications: ApplicationRepository,
  waiting: WaitingRequests,
  next: string,
): Promise<Application | undefined> {
  const id = waitingIdOf(next);
  const request = id === undefined ? undefined : await waiting.find(id);
  if (!request) return undefined;
  try {
    return (await checkTarget(applications, toQuery(request))).client.application;
  } catch {
    // The authorization request itself will say what is wrong with it.
    return undefined;
  }
}

const signInTemplate = /* html */ `<main class="narrow"><div class="card">
<h1>Sign in</h1>
<p class="muted"><% if (it.application) { %>to continue to <strong><%= it.application %></strong><% } else { %>to your profile<% } %></p>
<% if (it.problem) { %><div class="notice bad" role="alert"><p><%= it.problem %></p></div><% } %>
<form method="post" action="/oauth/sign-in">
<input type="hidden" name="form_token" value="<%= it.formToken %>">
<input type="hidden" name="next" value="<%= it.next %>">
<div class="field"><label for="email">E-mail address</label>
<input id="email" type="email" name="email" value="<%= it.email %>" autocomplete="username" maxlength="254" required<% if (!it.email) { %> autofocus<% } %>></div>
<div class="field"><label for="password">Password</label>
<input id="password" type="password" name="password" autocomplete="current-password" maxlength="1024" required<% if (it.email) { %> autofocus<% } %>></div>
<details<% if (it.account && !it.application) { %> open<% } %>><summary>I belong to more than one account</summary>
<div class="field"><label for="account">Account</label>
<input id="account" type="text" name="account" value="<%= it.account %>" autocomplete="organization" autocapitalize="none" spellcheck="false" maxlength="64"></div>
</details>
<button class="primary wide">Sign in</button>
</form>
</div></main>
`;

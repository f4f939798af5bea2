import { badRequest } from '@itsm/shared/base/errors/app-error';
import { departureOf } from '@itsm/shared/api/http/departure';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import type { ApplicationRepository } from '../clients/application.repository';
import { sendPage } from '../sessions/page';
import { checkForm } from '../sessions/form-token';
import { longestNext } from '../sessions/own-path';
import { formCookieOf } from '../sessions/form-cookie';
import type { SessionCookie } from '../sessions/session-cookie';
import type { SessionService } from '../sessions/session.service';
import { visitorOf } from '../sessions/visitor';
import type { Application } from '../clients/application';
import { accountIn, toQuery } from './authorization-request';
import type { FactorsModule } from '../factors/module';
import type { AuthorizationRequest } from './authorization-request';
import { countsFor } from './authorize.service';
import { checkTarget } from './check-target';
import type { Candidate } from './candidates';
import { choiceTemplate } from './choice.page';
import { toChoosable } from './choices';
import type { Choices } from './choices';
import type { KnownBrowser } from './known-browser';
import { nextPageOf } from './next-page';
import type { Offered } from './provider-sign-in.service';
import { throttledText } from './sign-in.service';
import type { SignInOutcome, SignInService } from './sign-in.service';
import { parseForm, recognize } from './sign-in-form';
import type { SignInForm } from './sign-in-form';
import { signInTemplate } from './sign-in.page';
import { secondStepAddress } from './second-step.routes';
import { waitingIdOf } from './waiting-requests';
import type { WaitingRequests } from './waiting-requests';

interface Dependencies {
  readonly signIn: SignInService;
  readonly sessions: SessionService;
  readonly factors: FactorsModule;
  readonly applications: ApplicationRepository;
  readonly waiting: WaitingRequests;
  readonly cookie: SessionCookie;
  readonly knownBrowser: KnownBrowser;
  readonly choices: Choices;
  readonly offeredProviders: (accountId: string) => Promise<readonly Offered[]>;
  readonly baseUrl: string;
}

const choiceForm = z.object({
  choice: z.string().max(4096),
  person: z.string().max(16),
  next: z.string().max(longestNext).default(''),
});

/** `GET/POST /oauth/sign-in`, `POST /oauth/sign-in/choice` and `POST /oauth/sign-out`. */
export function createSignInRoutes(dependencies: Dependencies): Router {
  const { signIn, sessions, factors, applications, waiting, cookie, knownBrowser, choices } = dependencies;
  const { offeredProviders, baseUrl } = dependencies;

  async function show(req: Request, res: Response, form: Omit<SignInForm, 'password'>, refused?: Refused) {
    const application = await waitingApplication(applications, waiting, form.next);
    const account = form.account || (application?.accountId ?? '');
    const providers = (account === '' ? [] : await offeredProviders(account)).map(({ id, name }) => {
      const query = new URLSearchParams({ account, next: form.next });
      // On the host of the redirect URI, so that the browser sends the cookies to the callback.
      return { name, address: `${baseUrl}/oauth/sign-in/provider/${id}?${query.toString()}` };
    });
    const id = formCookieOf(req, res, cookie);
    const passkeyOptions = await factors.passkeys.ask({ purpose: 'sign-in', cookie: id, verifiesPerson: true });
    const { name: applicationName } = application ?? {};
    const data = {
      ...form,
      account,
      providers,
      // With an account in the URL, the organization's providers are shown first.
      providersFirst: providers.length > 0 && application === undefined,
      application: applicationName,
      accountOfApplication: application?.accountId ?? '',
      problem: refused?.problem,
      passkeyOptions,
    };
    // Sign-in may redirect directly to an application that was allowed before.
    const leadsAway = application !== undefined;
    const page = { title: 'Sign in', template: signInTemplate, data, leadsAway, runsScript: true };
    sendPage(res, refused?.status ?? 200, page, { cookie: id, signedIn: undefined });
  }

  async function answer(req: Request, res: Response, outcome: SignInOutcome, form: Omit<SignInForm, 'password'>) {
    if (outcome.kind === 'signed in') {
      cookie.write(res, outcome.sessionId);
      knownBrowser.write(res, outcome.person);
      res.redirect(303, form.next);
      return;
    }
    if (outcome.kind === 'second step') {
      const { person, shown, atProvider } = outcome;
      cookie.write(res, await factors.pending.begin(person.accountId, person, { shown, atProvider, next: form.next }));
      res.redirect(303, secondStepAddress);
      return;
    }
    if (outcome.kind === 'choice') return letChoose(req, res, outcome.among, form.next);
    if (outcome.kind === 'throttled') res.set('Retry-After', String(outcome.seconds));
    await show(req, res, form, refusalOf(outcome));
  }

  async function letChoose(req: Request, res: Response, among: readonly Candidate[], next: string) {
    const visitor = { cookie: formCookieOf(req, res, cookie), signedIn: undefined };
    const choice = choices.seal(
      among.map(({ person }) => toChoosable(person)),
      visitor.cookie,
    );
    const rows = among.map(({ person, account }) => ({
      id: person.id,
      account: account?.name ?? person.accountId,
      name: person.name,
    }));
    const leadsAway = (await waitingApplication(applications, waiting, next)) !== undefined;
    const data = { choice, rows, next };
    sendPage(res, 200, { title: 'Choose an account', template: choiceTemplate, data, leadsAway }, visitor);
  }

  const router = express.Router();
  router
    .route('/sign-in/choice')
    .post(checkForm, async (req, res) => {
      const parsed = choiceForm.safeParse(req.body);
      if (!parsed.success) throw badRequest('Please choose an account.');
      const { choice, person } = parsed.data;
      const next = nextPageOf(parsed.data.next);
      const { cookie: id = '' } = visitorOf(req);
      const chosen = choices.open(choice, id).find((candidate) => String(candidate.id) === person);
      const form = { email: '', account: '', next };
      if (chosen) await answer(req, res, await signIn.choose(chosen, id), form);
      else await show(req, res, form, { status: 400, problem: 'This sign-in has expired. Please sign in again.' });
    })
    .all(methodNotAllowed('POST'));
  router
    .route('/sign-in')
    .get(async (req, res) => {
      const next = nextPageOf(req.query['next']);
      const request = waitingRequest(waiting, next);
      const { signedIn } = visitorOf(req);
      if (signedIn && (!request || countsFor(signedIn, request, request.signInAfter))) res.redirect(303, next);
      else {
        // The account from the query (a link, or the form for an account's providers), or from the application's request.
        const account = accountIn(req.query) ?? request?.account ?? '';
        await show(req, res, { email: request?.loginHint ?? '', account, next });
      }
    })
    .post(checkForm, async (req, res) => {
      const form = parseForm(req.body);
      const browser = { cookie: visitorOf(req).cookie, knownBrowserOf: knownBrowser.read(req) };
      const attempt = { ...form, ...recognize(form, req, knownBrowser), ...browser };
      await answer(req, res, await signIn.signIn(attempt, departureOf(res)), form);
    })
    .all(methodNotAllowed('GET', 'POST'));
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
        return show(req, res, { email: '', account: '', next }, { status: 401, problem });
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

interface Refused {
  readonly status: number;
  readonly problem: string;
}

function refusalOf(outcome: Extract<SignInOutcome, { kind: 'refused' | 'throttled' }>): Refused {
  if (outcome.kind === 'refused') return { status: 401, problem: 'The e-mail address or the password is wrong.' };
  return { status: 429, problem: throttledText(outcome.seconds) };
}

function waitingRequest(waiting: WaitingRequests, next: string): AuthorizationRequest | undefined {
  const id = waitingIdOf(next);
  return id === undefined ? undefined : waiting.find(id);
}

/** The application of the authorization request that waits in `next`. */
async function waitingApplication(
  applications: ApplicationRepository,
  waiting: WaitingRequests,
  next: string,
): Promise<Application | undefined> {
  const request = waitingRequest(waiting, next);
  if (!request) return undefined;
  try {
    return (await checkTarget(applications, toQuery(request))).client.application;
  } catch {
    // The authorization request itself reports its errors later.
    return undefined;
  }
}

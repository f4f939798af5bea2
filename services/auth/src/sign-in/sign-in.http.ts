import type { Request, Response } from 'express';
import type { Application } from '../clients/application';
import type { ApplicationRepository } from '../clients/application.repository';
import type { FactorsModule } from '../factors/module';
import { formCookieOf } from '../sessions/form-cookie';
import { sendPage } from '../sessions/page';
import type { SessionCookie } from '../sessions/session-cookie';
import { toQuery } from './authorization-request';
import type { Candidate } from './candidates';
import { checkTarget } from './check-target';
import { choiceTemplate } from './choice.page';
import { toChoosable } from './choices';
import type { Choices } from './choices';
import type { KnownBrowser } from './known-browser';
import type { Offered } from './provider-sign-in.service';
import { secondStepAddress } from './second-step.page';
import type { SignInForm } from './sign-in-form';
import { signInTemplate } from './sign-in.page';
import { throttledText } from './sign-in.service';
import type { SignInOutcome } from './sign-in.service';
import { waitingIn } from './waiting-requests';
import type { WaitingRequests } from './waiting-requests';

interface Dependencies {
  readonly factors: FactorsModule;
  readonly applications: ApplicationRepository;
  readonly waiting: WaitingRequests;
  readonly cookie: SessionCookie;
  readonly knownBrowser: KnownBrowser;
  readonly choices: Choices;
  readonly offeredProviders: (accountId: string) => Promise<readonly Offered[]>;
  readonly baseUrl: string;
}

/** What the form shows again; never the password. */
type Shown = Omit<SignInForm, 'password'>;

interface Refused {
  readonly status: number;
  readonly problem: string;
}

/** What the ways to sign in have in common: the form, and what follows an attempt. */
export interface SignInPages {
  /** The form; after an attempt with why it was refused. */
  show(req: Request, res: Response, form: Shown, refused?: Refused): Promise<void>;
  /** The next page with a session, the second step, a choice of accounts, or the form again. */
  answer(req: Request, res: Response, outcome: SignInOutcome, form: Shown): Promise<void>;
}

export function createSignInPages(dependencies: Dependencies): SignInPages {
  const { factors, applications, waiting, cookie, knownBrowser, choices, offeredProviders, baseUrl } = dependencies;

  async function show(req: Request, res: Response, form: Shown, refused?: Refused) {
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

  return {
    show,
    async answer(req, res, outcome, form) {
      if (outcome.kind === 'signed in') {
        cookie.write(res, outcome.sessionId);
        knownBrowser.write(res, outcome.person);
        res.redirect(303, form.next);
        return;
      }
      if (outcome.kind === 'second step') {
        const { person, shown, atProvider } = outcome;
        const step = { shown, atProvider, next: form.next };
        cookie.write(res, await factors.pending.begin(person.accountId, person, step));
        res.redirect(303, secondStepAddress);
        return;
      }
      if (outcome.kind === 'choice') return letChoose(req, res, outcome.among, form.next);
      if (outcome.kind === 'throttled') res.set('Retry-After', String(outcome.seconds));
      await show(req, res, form, refusalOf(outcome));
    },
  };
}

function refusalOf(outcome: Extract<SignInOutcome, { kind: 'refused' | 'throttled' }>): Refused {
  if (outcome.kind === 'refused') return { status: 401, problem: 'The e-mail address or the password is wrong.' };
  return { status: 429, problem: throttledText(outcome.seconds) };
}

/** The application of the authorization request that waits in `next`. */
async function waitingApplication(
  applications: ApplicationRepository,
  waiting: WaitingRequests,
  next: string,
): Promise<Application | undefined> {
  const request = waitingIn(waiting, next);
  if (!request) return undefined;
  try {
    return (await checkTarget(applications, toQuery(request))).client.application;
  } catch {
    // The authorization request itself reports its errors later.
    return undefined;
  }
}

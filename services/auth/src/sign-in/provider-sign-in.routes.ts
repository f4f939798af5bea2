import { badRequest, notFound } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { networkOf } from '@itsm/shared/base/ids/network';
import express from 'express';
import type { Request, Response, Router } from 'express';
import { OAuthError } from '../oauth/oauth-error';
import type { PendingSignIns } from '../factors/pending-sign-ins';
import { sendPage } from '../sessions/page';
import type { SessionCookie } from '../sessions/session-cookie';
import { visitorOf } from '../sessions/visitor';
import { nextPageOf } from './next-page';
import type { Begun, ProviderCookie } from './provider-cookie';
import type { ProviderAnswer, ProviderSignIn } from './provider-sign-in.service';
import { secondStepAddress } from './second-step.page';

interface Dependencies {
  readonly providerSignIn: ProviderSignIn;
  readonly pending: Pick<PendingSignIns, 'begin'>;
  readonly cookie: SessionCookie;
  readonly providerCookie: ProviderCookie;
}

const failed =
  'Signing in with the identity provider failed. Please try again, or ask an administrator of your account: the security log shows the reason.';

/**
 * `GET /oauth/sign-in/provider/:id` redirects to the identity provider of an account; `…/:id/callback` takes its answer. `/oauth/sign-in/provider/callback` is
 * the redirect URI of earlier releases.
 */
export function createProviderSignInRoutes(dependencies: Dependencies): Router {
  const { providerSignIn, pending, cookie, providerCookie } = dependencies;

  /** The sign-in that this browser started with this `state`. Refused when it is too old, or was started in another browser. */
  function startedIn(req: Request): Begun {
    const kept = providerCookie.read(req, textIn(req, 'state') ?? '');
    if (!kept) throw badRequest('This sign-in was started in another browser, or has expired. Please start again.');
    return kept;
  }

  async function finish(req: Request, res: Response, to: number | undefined): Promise<void> {
    const kept = startedIn(req);
    const answer = answerIn(req, to);
    // The cookie stays: the answer of another provider does not end this sign-in.
    if (!(await providerSignIn.isMeant(kept, answer))) throw badRequest(failed);
    // Used once: a second answer finds no cookie.
    providerCookie.clear(res);
    if (kept.again) {
      if (!(await providerSignIn.vouch(kept, answer, visitorOf(req).signedIn))) throw badRequest(failed);
      return sendPage(
        res,
        200,
        { title: 'You have signed in again', template: vouchedTemplate, data: {} },
        visitorOf(req),
      );
    }
    const outcome = await providerSignIn.finish(kept, answer, visitorOf(req).cookie);
    if (outcome.kind === 'refused') throw badRequest(failed);
    if (outcome.kind === 'second step') {
      const { person, shown, atProvider } = outcome;
      cookie.write(res, await pending.begin(person.accountId, person, { shown, atProvider, next: kept.next }));
      return res.redirect(303, secondStepAddress);
    }
    cookie.write(res, outcome.sessionId);
    return res.redirect(303, kept.next);
  }

  const router = express.Router();
  router
    .route('/sign-in/provider/callback')
    .head(methodNotAllowed('GET'))
    .get((req, res) => finish(req, res, undefined))
    .all(methodNotAllowed('GET'));
  router
    .route('/sign-in/provider/:id/callback')
    .head(methodNotAllowed('GET'))
    .get((req, res) => finish(req, res, idIn(req)))
    .all(methodNotAllowed('GET'));
  router
    .route('/sign-in/provider/:id')
    .head(methodNotAllowed('GET'))
    .get(async (req, res) => {
      const id = idIn(req);
      const again = textIn(req, 'again') === 'yes' ? visitorOf(req).signedIn : undefined;
      const { locationFor, started } = await providerSignIn
        .start(textIn(req, 'account') ?? '', id, again)
        .catch(asPage);
      const state = providerCookie.keep(res, { ...started, next: nextPageOf(req.query['next']) });
      res.redirect(303, locationFor(state));
    })
    .all(methodNotAllowed('GET'));
  return router;
}

function idIn({ params: { id } }: Request): number {
  if (typeof id !== 'string' || !/^\d{1,15}$/.test(id)) throw notFound();
  return Number(id);
}

/** `to`: the configuration to whose redirect URI the answer came. */
function answerIn(req: Request, to: number | undefined): ProviderAnswer {
  const { iss } = req.query;
  // A repeated `iss` names nobody, and is not the same as none.
  const sender = iss === undefined || typeof iss === 'string' ? iss : '';
  return { code: textIn(req, 'code'), error: textIn(req, 'error'), iss: sender, to, network: networkOf(req.ip ?? '') };
}

const textIn = ({ query }: Request, name: string): string | undefined => {
  const value = query[name];
  return typeof value === 'string' ? value : undefined;
};

/** Shows a failure of the provider as a refusal, not as an internal error. */
function asPage(error: unknown): never {
  throw error instanceof OAuthError ? badRequest(`${error.message}. Please try again later.`) : error;
}

const vouchedTemplate = /* html */ `<main class="narrow"><div class="card">
<h1>You have signed in again</h1>
<p>Go back to the previous tab and continue there. You can close this one.</p>
</div></main>
`;

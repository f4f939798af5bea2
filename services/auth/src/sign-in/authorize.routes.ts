import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Request, Response, Router } from 'express';
import { departureOf } from '@itsm/shared/api/http/departure';
import { createFairSlots } from '@itsm/shared/base/concurrency/fair-slots';
import { badRequest, tooManyCalls } from '@itsm/shared/base/errors/app-error';
import { networkOf } from '@itsm/shared/base/ids/network';
import { requireSignIn, signedInOf, visitorOf } from '../sessions/visitor';
import type { AccountRepository } from '../directory/account.repository';
import { identifiesClient, siteOf } from '../clients/redirect-uri';
import { sendPage } from '../sessions/page';
import { describeScopes } from '@itsm/shared/contracts/scope-words';
import { checkForm } from '../sessions/form-token';
import type { AuthorizeOutcome, AuthorizeService } from './authorize.service';
import { toWaitingPage } from './waiting-requests';

/** `GET /oauth/authorize` (spec: OAuth: authorization request), and the same again after signing in. */
export function createAuthorizeRoutes(service: AuthorizeService): Router {
  const router = express.Router();
  // Fair queueing by network, because these requests need no credentials: a flood from one network does not delay the others.
  const turns = createFairSlots({ limit: 8, perOwner: 2, mostWaiting: 64, mostWaitingOverall: 1_000, crowded });
  const inTurn = (req: Request, res: Response, decide: () => Promise<AuthorizeOutcome>) =>
    turns.run(networkOf(req.ip ?? ''), decide, departureOf(res));
  // Express answers HEAD as GET, which would issue a code that is never read.
  router
    .route('/authorize')
    .head(methodNotAllowed('GET'))
    .get(async (req, res) => {
      const decide = () => service.authorize(req.query, visitorOf(req));
      res.redirect(302, locationOf(await inTurn(req, res, decide)));
    })
    .all(methodNotAllowed('GET'));
  router
    .route('/authorize/:waitingId')
    .head(methodNotAllowed('GET'))
    .get(async (req, res) => {
      const decide = () => service.resume(req.params.waitingId, visitorOf(req).signedIn);
      res.redirect(302, locationOf(await inTurn(req, res, decide)));
    })
    .all(methodNotAllowed('GET'));
  return router;
}

const crowded = (): Error => tooManyCalls('Too many authorization requests at once. Please try again in a moment.');

function locationOf(outcome: AuthorizeOutcome): string {
  if (outcome.kind === 'answer') return outcome.location;
  if (outcome.kind === 'ask') return `/oauth/consents/${outcome.consentId}`;
  return `/oauth/sign-in?next=${encodeURIComponent(toWaitingPage(outcome.waitingId))}`;
}

/** The consent page: shows who wants to do what for whom, and lets the person authorize or deny. */
export function createConsentRoutes(service: AuthorizeService, accounts: AccountRepository): Router {
  const router = express.Router();
  router
    .route('/consents/:id')
    .all(requireSignIn('/oauth/profile'))
    .get(async (req, res) => {
      const { consent, waitingId, application, scopes } = await service.question(signedInOf(req), req.params.id);
      const account = await accounts.find(application.accountId);
      const { redirectUri } = consent.request;
      const data = {
        consentId: consent.id,
        application,
        accountName: account?.name ?? application.accountId,
        scopes: describeScopes(scopes),
        returnsTo: siteOf(redirectUri),
        asksEachTime: !identifiesClient(redirectUri),
        returnTo: toWaitingPage(waitingId),
      };
      const title = `Authorize ${application.name}?`;
      sendPage(res, 200, { title, template: consentTemplate, data, leadsAway: true }, visitorOf(req));
    })
    .post(checkForm, async (req, res) => {
      res.redirect(302, await service.answer(signedInOf(req), req.params.id, decisionOf(req) === 'allow'));
    })
    .all(methodNotAllowed('GET', 'POST'));
  return router;
}

function decisionOf(req: Request): 'allow' | 'deny' {
  const { decision } = req.body as { decision?: unknown };
  if (decision !== 'allow' && decision !== 'deny') throw badRequest('Please choose Authorize or Deny.');
  return decision;
}

const consentTemplate = /* html */ `<main class="narrow"><div class="card">
<div class="pair"><span class="tile" aria-hidden="true"><%= it.application.name.slice(0, 1).toUpperCase() %></span>
<div><p><strong><%= it.application.name %></strong></p><p class="muted small"><%= it.application.description %></p></div></div>
<h1>Authorize <%= it.application.name %>?</h1>
<p class="muted">It will act for <strong><%= it.person.name %></strong> (<%= it.person.primaryEmail %>) in <strong><%= it.accountName %></strong>, with these scopes:</p>
<ul class="scopes">
<% it.scopes.allowed.forEach((text) => { %><li><%= text %></li><% }) %>
<% it.scopes.denied.forEach((text) => { %><li class="never">Never: <%= text %></li><% }) %>
</ul>
<dl class="facts">
<dt>Redirects to</dt><dd><%= it.returnsTo %></dd>
<% if (it.asksEachTime) { %><dt>Asked</dt><dd>each time, because another program on your device could receive this redirect</dd><% } %>
<dt>Lasts</dt><dd>until you revoke it in your profile, under Access &amp; Security</dd>
</dl>
<form method="post" action="/oauth/consents/<%= it.consentId %>">
<input type="hidden" name="form_token" value="<%= it.formToken %>">
<div class="actions">
<button name="decision" value="deny">Deny</button>
<button class="primary" name="decision" value="allow">Authorize</button>
</div>
</form>
</div>
<p class="muted small below">Not you? Sign out above and sign in as somebody else. The application never gets your password.</p>
</main>
`;

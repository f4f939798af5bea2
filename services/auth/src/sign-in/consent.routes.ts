import { badRequest } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Request, Router } from 'express';
import type { AccountRepository } from '../directory/account.repository';
import { siteOf } from '../clients/redirect-uri';
import type { AuthorizeService } from './authorize.service';
import { sendPage } from '../sessions/page';
import { describeScopes } from '../clients/scope-words';
import { toWaitingPage } from './waiting-requests';
import { checkForm } from '../sessions/form-token';
import { requireSignIn, signedInOf, visitorOf } from '../sessions/visitor';
import { consentTemplate } from './consent.page';

/** The application authorization page: who wants to do what for whom; allow or deny. */
export function createConsentRoutes(service: AuthorizeService, accounts: AccountRepository): Router {
  const router = express.Router();
  router
    .route('/consents/:id')
    .all(requireSignIn('/oauth/profile'))
    .get(async (req, res) => {
      const { consent, application, scopes } = await service.question(signedInOf(req), req.params.id);
      const account = await accounts.find(application.accountId);
      const { redirectUri } = consent.request;
      const data = {
        consentId: consent.id,
        application,
        accountName: account?.name ?? application.accountId,
        scopes: describeScopes(scopes),
        returnsTo: siteOf(redirectUri),
        returnTo: toWaitingPage(consent.waitingId),
      };
      const title = `Allow ${application.name}?`;
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
  if (decision !== 'allow' && decision !== 'deny') throw badRequest('Please choose Allow or Deny.');
  return decision;
}

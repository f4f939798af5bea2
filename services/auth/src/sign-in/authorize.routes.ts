import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Router } from 'express';
import { visitorOf } from '../sessions/visitor';
import type { AuthorizeOutcome, AuthorizeService } from './authorize.service';
import { toWaitingPage } from './waiting-requests';

/** `GET /oauth/authorize` (spec: OAuth: authorization request), and the same again after signing in. */
export function createAuthorizeRoutes(service: AuthorizeService): Router {
  const router = express.Router();
  // Express would answer HEAD as GET, and so issue a code that is never read.
  router
    .route('/authorize')
    .head(methodNotAllowed('GET'))
    .get(async (req, res) => {
      res.redirect(302, locationOf(await service.authorize(req.query, visitorOf(req).signedIn)));
    })
    .all(methodNotAllowed('GET'));
  router
    .route('/authorize/:waitingId')
    .head(methodNotAllowed('GET'))
    .get(async (req, res) => {
      res.redirect(302, locationOf(await service.resume(req.params.waitingId, visitorOf(req).signedIn)));
    })
    .all(methodNotAllowed('GET'));
  return router;
}

function locationOf(outcome: AuthorizeOutcome): string {
  if (outcome.kind === 'answer') return outcome.location;
  if (outcome.kind === 'ask') return `/oauth/consents/${outcome.consentId}`;
  return `/oauth/sign-in?next=${encodeURIComponent(toWaitingPage(outcome.waitingId))}`;
}

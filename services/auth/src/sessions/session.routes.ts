import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Router } from 'express';
import { formTokenOf } from './form-token';
import { visitorOf } from './visitor';

/**
 * `GET /oauth/session`, for scripts of this origin alone: who is signed in in this browser, until when at the latest, and what
 * a form such as that of `/oauth/sign-out` has to bring. It counts as a use of the session.
 */
export function createSessionRoutes(): Router {
  const router = express.Router();
  router
    .route('/session')
    .get((req, res) => {
      res.vary('Sec-Fetch-Site');
      // What a browser of before there was this header keeps from other origins, it keeps by itself.
      if ((req.get('sec-fetch-site') ?? 'same-origin') !== 'same-origin') {
        res.status(403).json({ message: 'Forbidden' });
        return;
      }
      const { cookie, signedIn } = visitorOf(req);
      if (cookie === undefined || !signedIn) {
        res.status(401).json({ message: 'Unauthorized' });
        return;
      }
      const { id, name } = signedIn.person;
      res.json({ person: { id, name }, expires_at: signedIn.expiresAt, form_token: formTokenOf(cookie) });
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  return router;
}

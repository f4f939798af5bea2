import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Router } from 'express';
import { formTokenOf } from './form-token';
import { visitorOf } from './visitor';

/**
 * `GET /oauth/session`, for scripts of this origin only: the signed-in person, the end of the session, and the form
 * token, as needed for `/oauth/sign-out`. Counts as a use of the session.
 */
export function createSessionRoutes(): Router {
  const router = express.Router();
  router
    .route('/session')
    .get((req, res) => {
      res.vary('Sec-Fetch-Site');
      // In browsers without this header the same-origin policy keeps the answer from other origins.
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

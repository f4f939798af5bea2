import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Router } from 'express';
import { checkForm } from '../sessions/form-token';
import type { SessionCookie } from '../sessions/session-cookie';
import type { SessionService } from '../sessions/session.service';
import { visitorOf } from '../sessions/visitor';
import { nextPageOf } from './next-page';

/** `POST /oauth/sign-out`: ends the session of this browser, and shows the form to sign in. */
export function createSignOutRoutes(sessions: Pick<SessionService, 'end'>, cookie: SessionCookie): Router {
  const router = express.Router();
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

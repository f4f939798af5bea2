import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { RequestHandler, Router } from 'express';
import { checkForm } from '../sessions/form-token';
import type { Sessions } from '../sessions/module';
import { signedInOf } from '../sessions/visitor';

interface Dependencies extends Pick<Sessions, 'service' | 'cookie'> {
  readonly requireFresh: RequestHandler;
}

/** Forms that end sessions in the list of the profile. Routes below `/profile` require sign-in. */
export function createSessionListRoutes({ service, cookie, requireFresh }: Dependencies): Router {
  const router = express.Router();
  router
    .route('/profile/sessions/end-all')
    .post(checkForm, requireFresh, async (req, res) => {
      const { person } = signedInOf(req);
      await service.endAll(person.accountId, person);
      cookie.clear(res);
      res.redirect(303, '/oauth/sign-in');
    })
    .all(methodNotAllowed('POST'));
  router
    .route('/profile/sessions/:digest/end')
    .post(checkForm, requireFresh, async (req, res) => {
      const { person } = signedInOf(req);
      await service.endOne(person.accountId, person, String(req.params['digest']));
      res.redirect(303, '/oauth/profile?revoked=session');
    })
    .all(methodNotAllowed('POST'));
  return router;
}

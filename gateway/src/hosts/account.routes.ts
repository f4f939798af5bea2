import type { IncomingMessage } from 'node:http';
import { Router } from 'express';
import type { Place } from './hosts';

/** What of `/accounts/:account` no service answers: the host of an account leads to the same page at BASE_URL. */
export function createAccountRoutes(baseUrl: string, placeOf: (req: IncomingMessage) => Place): Router {
  const router = Router();
  router.get('/accounts/*path', (req, res, next) => {
    if (placeOf(req).kind === 'account') res.redirect(302, `${baseUrl}${req.url}`);
    else next();
  });
  return router;
}

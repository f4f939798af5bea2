import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Router } from 'express';
import type { SigningKeys } from './signing-keys';

/** `GET /oauth/jwks`: the keys that verify caller JWTs. */
export function createSigningKeyRoutes(keys: SigningKeys): Router {
  const router = express.Router();
  router
    .route('/')
    .get(async (_req, res) => {
      res.set('Cache-Control', 'public, max-age=300').json(await keys.jwks());
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  return router;
}

import { AppError } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import express from 'express';
import type { Request, RequestHandler, Router } from 'express';
import { answerClientErrors, clientBody, clientRequestOf, noStore, sendJson } from './client-endpoint';
import type { TokenIntrospectionService } from './token-introspection.service';

/** `POST /oauth/introspect` for clients (RFC 7662), `GET` for the holder of the token. */
export function createTokenIntrospectionRoutes(introspection: TokenIntrospectionService, logger: Logger): Router {
  const router = express.Router();
  router
    .route('/')
    .get(noStore, async (req, res) => {
      sendJson(res, await introspection.forBearer(bearerOf(req)));
    })
    .post(...clientBody, answerClient(introspection), answerClientErrors(logger))
    .all(methodNotAllowed('GET', 'HEAD', 'POST'));
  return router;
}

const answerClient =
  (introspection: TokenIntrospectionService): RequestHandler =>
  async (req, res) => {
    sendJson(res, await introspection.forClient(clientRequestOf(req)));
  };

/** RFC 6750 §2.1 and §3: in the header only; without one the refusal names no error. */
function bearerOf(req: Request): string {
  const token = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(req.get('authorization') ?? '')?.[1];
  if (token !== undefined) return token;
  throw new AppError('unauthorized', 'Unauthorized', { headers: { 'WWW-Authenticate': 'Bearer realm="oauth"' } });
}

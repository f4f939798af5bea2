import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import express from 'express';
import type { Router } from 'express';
import { answerClientErrors, clientBody, clientRequestOf, sendJson } from './client-endpoint';
import type { TokenService } from './token.service';

/** `POST /oauth/token`, form or JSON. */
export function createTokenRoutes(tokens: TokenService, logger: Logger): Router {
  const router = express.Router();
  router
    .route('/')
    .post(...clientBody, async (req, res) => {
      sendJson(res, await tokens.answer(clientRequestOf(req)));
    })
    .all(methodNotAllowed('POST'));
  router.use(answerClientErrors(logger));
  return router;
}

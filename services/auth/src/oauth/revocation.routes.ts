import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import express from 'express';
import type { Router } from 'express';
import { answerClientErrors, clientBody, clientRequestOf, sendJson } from './client-endpoint';
import type { RevocationService } from './revocation.service';

/** `POST /oauth/revoke` (RFC 7009): 200 and `{}` once the token does not count any more. */
export function createRevocationRoutes(revocations: RevocationService, logger: Logger): Router {
  const router = express.Router();
  router
    .route('/')
    .post(...clientBody, async (req, res) => {
      await revocations.revoke(clientRequestOf(req));
      sendJson(res, {});
    })
    .all(methodNotAllowed('POST'));
  router.use(answerClientErrors(logger));
  return router;
}
